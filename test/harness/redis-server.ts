import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from 'redis'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

/** A real server with its own port and folder. */
export interface RedisServer {
  /** `redis://127.0.0.1:<port>`; the address of a database is `<url>/<number>`, up to 4095. */
  url: string
  port: number
  /** The process, to be stopped and continued. */
  readonly pid: number
  /** With SIGKILL: data that is not on disk is lost. */
  kill(): Promise<void>
  /** With SIGTERM, so that it writes its data. */
  stop(): Promise<void>
  /** Starts it again with the same port and data, and returns when it is ready. */
  start(): Promise<void>
  /** Stops it permanently and deletes its data. */
  end(): Promise<void>
}

/** Every write is on disk before the reply. */
export const appendAlways = ['--appendonly', 'yes', '--appendfsync', 'always']

/** The Redis or Valkey of this machine, if any: `node scripts/setup.mjs test` installs it. */
export const redisProgram = findProgram()

if (!redisProgram)
  process.stderr.write('no redis-server or valkey-server here: the tests of the Redis store are skipped\n')

/** Starts a server with settings of redis-server. By default, it stores nothing on disk. */
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

  // A cluster node also listens on a second port that depends on this one, and may be taken.
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

/** Starts a server for the running test. */
export async function ownRedis(settings: readonly string[] = []): Promise<RedisServer> {
  const server = await startRedis(settings)
  onTestFinished(() => server.end())
  return server
}

/**
 * Starts a server for all tests of a file or suite. Returns a function that returns the address of
 * an unused database.
 */
export function sharedRedis(): () => string {
  let server: RedisServer
  let used = 0
  beforeAll(async () => void (server = await startRedis()))
  afterAll(() => server?.end())
  return () => `${server.url}/${used++}`
}

/** Returns a client of a server for the running test. */
export async function redisClient(url: string) {
  const client = await createClient({ url }).connect()
  onTestFinished(() => client.destroy())
  return client
}

function findProgram(): string | undefined {
  return ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)
}
