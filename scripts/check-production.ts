/**
 * `npm run check:production`: a clone of the commit at hand, without the packages for development,
 * runs the commands of the systemd units and those beside them. It copies 800 MB and builds a site,
 * so the tests and CI leave it out: run it before a version is published.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
using folder = mkdtempDisposableSync(join(tmpdir(), 'clip-lookup-production-'))
const project = join(folder.path, 'opt')
const data = join(folder.path, 'var')

installProduction()
await check()

function installProduction(): void {
  execFileSync('git', ['clone', '--quiet', root, project])
  cpSync(join(root, 'node_modules'), join(project, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  execFileSync('npm', ['prune', '--omit=dev', '--offline', '--no-audit', '--no-fund'], { cwd: project })
  mkdirSync(data)
  cpSync(join(project, 'src/sample-corpus'), join(data, 'corpus'), { recursive: true })
}

async function check(): Promise<void> {
  const build = readUnit('clip-lookup-build.service')
  const serve = readUnit('clip-lookup.service')
  const clipLookup = (...args: string[]) =>
    run({ ...serve, command: [...serve.command.slice(0, 2), ...args] })
  run(build)
  clipLookup('keys', 'create', '--account', 'ann')
  clipLookup('publish', '--out', join(data, 'dist'), '--to', join(data, 'mirror'))
  clipLookup('verify', '--out', join(data, 'mirror'))
  const { origin, stop } = await start({ ...serve, command: [...serve.command, '--port', '0'] })
  for (const path of ['/', '/v1/corpus', '/v1/openapi.json']) {
    const { status } = await fetch(origin + path)
    if (status !== 200) throw new Error(`GET ${path} of the service: wanted 200, got ${status}`)
    process.stdout.write(`GET ${path}  ${status}\n`)
  }
  clipLookup('doctor', '--port', new URL(origin).port)
  const code = await stop()
  if (code !== 0) throw new Error(`the service ended with ${code} on SIGTERM`)
}

interface Unit {
  command: string[]
  env: Record<string, string>
}

/** The command of a unit and its settings, in the places of this check. */
function readUnit(name: string): Unit {
  const text = readFileSync(join(project, 'scripts/deploy/systemd', name), 'utf8')
    .replaceAll('/opt/clip-lookup', project)
    .replaceAll('/var/lib/clip-lookup', data)
  const settings = [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, key, value]) => [key!, value!])
  return { command: /^ExecStart=(.*)$/m.exec(text)![1]!.split(' '), env: Object.fromEntries(settings) }
}

/** Without the PATH of npm: a unit has none of its own packages on it. */
function environment({ env }: Unit): NodeJS.ProcessEnv {
  return { ...env, PATH: '/usr/bin:/bin', HOME: data, ASTRO_TELEMETRY_DISABLED: '1' }
}

function run(unit: Unit): void {
  const [program, ...args] = unit.command
  process.stdout.write(`${args.slice(1).join(' ')}\n`)
  execFileSync(program!, args, { cwd: data, env: environment(unit), stdio: 'inherit' })
}

async function start(unit: Unit): Promise<{ origin: string; stop(): Promise<number | null> }> {
  const [program, ...args] = unit.command
  const child = spawn(program!, args, {
    cwd: data,
    env: environment(unit),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  for await (const line of createInterface({ input: child.stderr })) {
    process.stdout.write(`${line}\n`)
    const origin = /^listening on (\S+)$/.exec(line)?.[1]
    if (!origin) continue
    child.stderr.resume()
    return {
      origin,
      stop() {
        child.kill('SIGTERM')
        return ended
      },
    }
  }
  throw new Error(`the service ended with ${await ended} before it listened`)
}
