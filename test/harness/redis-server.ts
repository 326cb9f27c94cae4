import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from 'redis'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

/** A real server on a port of its own, with its data in a folder of its own. */
export interface RedisServer {
  /** `redis://127.0.0.1:<port>`; a database of it is `<url>/<number>`, up to 4095. */
  url: string
  port: number
  /** The process, to be stopped and continued. */
  readonly pid: number
  /** With SIGKILL: what is not on disk is lost. */
  kill(): Promise<void>
  /** With SIGTERM, letting it write what it has to. */
  stop(): Promise<void>
  /** Starts it again on the same port and data, when it is ready. */
  start(): Promise<void>
  /** Stops it for good and deletes its data. */
  end(): Promise<void>
}

/** Every write is on disk before it is answered. */
export const appendAlways = ['--appendonly', 'yes', '--appendfsync', 'always']

/**
 * The Redis or Valkey of this machine, if it has one: `node scripts/setup.mjs test` installs it.
 */
export const redisProgram = findProgram()

if (!redisProgram) {
  process.stderr.write('no redis-server or valkey-server here: the tests of the Redis store are skipped\n')
}

/**
 * Starts a server; settings as on the command line of redis-server. Nothing is kept on disk unless
 * they say so.
 */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-redis-'))
  let port = await freePort()
  let child: ChildProcess

  async function start(): Promise<void> {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
    const args = [...place, '--save', '', '--databases', '4096', ...settings]
    child = spawn(redisProgram!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines: string[] = []
    for await (const line of createInterface(child.stdout!)) {
      lines.push(line)
      if (line.includes('Ready to accept connections')) {
        child.stdout!.resume()
        return
      }
    }
    throw new Error(`redis-server did not start:\n${lines.join('\n')}`)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  // A node of a cluster also listens on a port that follows from this one, and may be taken.
  for (let attempts = 1; ; attempts++)
    try {
      await start()
      break
    } catch (error) {
      if (attempts === 5 || !(error as Error).message.includes('Address already in use')) throw error
      port = await freePort()
    }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid!
    },
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async end() {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A server for the running test. */
export async function ownRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const server = await startRedis(settings)
  onTestFinished(() => server.end())
  return server
}

/** A client of a server for the running test. */
export async function redisClient(url: string) {
  const client = await createClient({ url }).connect()
  onTestFinished(() => client.destroy())
  return client
}

function findProgram(): string | undefined {
  return ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)
}
