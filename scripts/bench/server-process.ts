import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own. */
export interface ServerProcess {
  pid: number
  port: number
  stop(): Promise<void>
}

const started: ServerProcess[] = []

/** Stops every server that was started. */
export async function stopServers(): Promise<void> {
  for (const server of started.splice(0)) await server.stop()
}

/**
 * Starts a server, a script by its path from this folder, and waits for its line `listening on
 * http://…`.
 *
 * @throws {Error} with what it said, when it ends before that
 */
export async function startServer(
  script: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const child: ChildProcess = spawn(
    process.execPath,
    [fileURLToPath(new URL(script, import.meta.url)), ...args],
    {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const said: string[] = []
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      said.push(line)
      const found = /^listening on http:\/\/.*:(\d+)$/.exec(line)
      if (found) resolve(Number(found[1]))
    })
    child.on('exit', () => reject(new Error(`${script} ended before it listened: ${said.join('\n')}`)))
  })
  const server = {
    pid: child.pid!,
    port,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
  started.push(server)
  return server
}
