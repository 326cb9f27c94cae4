import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { dirname } from 'node:path'

const wantedNode = 26

export function checkNode(version: string): string {
  if (Number.parseInt(version) >= wantedNode) return `Node ${version}`
  throw new Error(
    `Node ${version} is too old: install Node ${wantedNode} or later, or run the command with "npm run clip-lookup"`,
  )
}

/** How to recognise our own listener: a path, and a text that its answer contains. */
export const apiProbe = { path: '/v1/openapi.json', mark: '"openapi"' }
export const adminProbe: Probe = { path: '/metrics', mark: 'clip_lookup_' }
type Probe = typeof apiProbe

/** Checks that a port is free, or that this service listens on it. */
export async function checkPort(host: string, port: number, probe: Probe): Promise<string> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
    return `${host}:${port} is free`
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE')
      throw new Error(`cannot listen on ${host}:${port}: ${message}`, { cause: error })
    if (await answersAsOurs(host, port, probe)) return `the service already answers on ${host}:${port}`
    throw new Error(
      `${host}:${port} is in use by another program: stop that program, or choose another port`,
      {
        cause: error,
      },
    )
  } finally {
    server.close()
  }
}

async function answersAsOurs(host: string, port: number, { path, mark }: Probe): Promise<boolean> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  try {
    const answer = await fetch(`http://${name}:${port}${path}`, { signal: AbortSignal.timeout(2000) })
    return answer.ok && (await answer.text()).includes(mark)
  } catch {
    return false
  }
}

/**
 * Checks that only owner and group can access the files of the store, and that this user can write
 * them.
 */
export function checkModes(file: string): string {
  const folder = dirname(file)
  if (!existsSync(file)) throw new Error(`there is no file "${file}"`)
  for (const path of [file, `${file}-wal`, `${file}-shm`].filter((each) => existsSync(each))) {
    const mode = statSync(path).mode & 0o777
    if (mode & 0o007)
      throw new Error(
        `every user on this machine can open "${path}" (mode ${mode.toString(8)}): run chmod o-rwx "${path}"`,
      )
    requireAccess(path)
  }
  requireAccess(folder)
  return `other users cannot open "${file}" (mode ${(statSync(file).mode & 0o777).toString(8)})`
}

function requireAccess(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw new Error(
      `you have no permission to write "${path}": run the command as the user of the service, or change the owner`,
      {
        cause: error,
      },
    )
  }
}
