import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Plan } from '#contract/plans.ts'
import { buildTree } from '../nightly/small-corpus.ts'
import { smallCorpus } from '../fixtures/small-corpus.ts'
import { programPath } from './command.ts'
import { writeSourceFolder } from './source-folder.ts'

/** The files for `serve`: a published small corpus, a file of plans, and a place for a store. */
export interface ServedFolder {
  path: string
  /** The value of `--plans` for any command. */
  plansFile: string
  /** Returns the address of a store that does not exist yet. */
  freshStore(): string
  /**
   * Starts a server and waits until it listens.
   *
   * @throws {Error} with its output, if it ends before that
   */
  start(options: ServeOptions): Promise<ServeProcess>
  /** Starts a server that is killed when the running test ends. */
  serve(options: ServeOptions): Promise<ServeProcess>
}

/** A served folder for all tests of a file or a suite. */
export function sharedServedFolder(plans: readonly Plan[]): ServedFolder {
  let stores = 0
  const folder: ServedFolder = {
    path: '',
    plansFile: '',
    freshStore: () => `sqlite:${join(folder.path, `${stores++}.sqlite`)}`,
    start: (options) => startServe(folder, options),
    async serve(options) {
      const server = await folder.start(options)
      onTestFinished(() => server.kill())
      return server
    },
  }
  beforeAll(async () => {
    folder.path = mkdtempSync(join(tmpdir(), 'clip-lookup-served-'))
    folder.plansFile = join(folder.path, 'plans.json')
    writeFileSync(folder.plansFile, JSON.stringify(plans))
    await writeSourceFolder(join(folder.path, 'source'), smallCorpus)
    await buildTree(join(folder.path, 'source'), join(folder.path, 'dist'), { strict: true })
  })
  afterAll(() => rmSync(folder.path, { recursive: true, force: true }))
  return folder
}

export interface ServeOptions {
  /** The address of the store, as `--store` takes it; by default, a fresh one. */
  store?: string
  workers: number
  /** Environment variables. */
  settings?: Record<string, string>
  /** The tree in the folder; `dist` unless given. */
  dist?: string
  /** By default, any free one. */
  port?: number
  /** Whether another service may listen on the port. */
  isPortShared?: boolean
  /** The standard output of the processes; nothing by default. */
  stdout?: number | Socket
}

/** A running `clip-lookup serve` with its processes. */
export interface ServeProcess {
  origin: string
  port: number
  /** The address of the admin listener; empty without one. */
  admin: string
  /** The pid of the process that was started: the primary, or the only one. */
  pid: number
  /** Returns the pids of workers with a release in service, in the order in which they started. */
  workerPids(): number[]
  /** Waits until there are this many workers that are not among these, and the port is open. */
  newWorkers(known: readonly number[], count: number): Promise<void>
  /** Kills all its processes at once with -9, and returns when they have ended. */
  kill(): Promise<void>
  /** Waits until all its processes have ended, and returns the exit code of the first. */
  ended(): Promise<number | null>
  /** Its lines on stderr. */
  lines: readonly string[]
  /** Waits until this many lines on stderr match, by default one. */
  says(pattern: RegExp, times?: number): Promise<void>
}

async function startServe(folder: ServedFolder, options: ServeOptions): Promise<ServeProcess> {
  const child = spawnServe(folder, options)
  const lines: string[] = []
  const heard = new EventEmitter()
  let isOver = false
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lines.push(line)
    heard.emit('news')
  })
  // The processes share the pipe of stderr, which closes when the last of them has ended.
  const end = once(child, 'close').then(([code]) => {
    isOver = true
    heard.emit('news')
    return code as number | null
  })
  const until = async <T>(find: () => T | undefined, what: string): Promise<T> => {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      if (isOver) throw new Error(`the server ended before ${what}:\n${lines.join('\n')}`)
      await once(heard, 'news')
    }
  }
  const killGroup = () => {
    if (!isOver) process.kill(-child.pid!, 'SIGKILL')
  }
  process.once('exit', killGroup)
  void end.then(() => process.off('exit', killGroup))

  const workerPids = () => workersTold(lines)
  const origin = await until(() => originTold(lines), 'it listened')
  return {
    origin,
    port: Number(new URL(origin).port),
    admin: lines.map((line) => /^admin listener on (\S+)$/.exec(line)?.[1]).find(Boolean) ?? '',
    pid: child.pid!,
    lines,
    workerPids,
    async newWorkers(known, count) {
      const isEnough = () => workerPids().filter((pid) => !known.includes(pid)).length >= count
      await until(() => isEnough() || undefined, `${count} workers were new`)
      // A worker has a release before it listens.
      while (!(await isListening(new URL(origin)))) await sleep(20)
    },
    async says(pattern, times = 1) {
      const isSaid = () => lines.filter((line) => pattern.test(line)).length >= times
      await until(() => isSaid() || undefined, `it said ${pattern}`)
    },
    async kill() {
      killGroup()
      await end
    },
    ended: () => end,
  }
}

/** Starts `serve` in its own process group, so that all of its processes can be killed at once. */
function spawnServe(folder: ServedFolder, options: ServeOptions): ChildProcess {
  const { store = folder.freshStore(), workers, dist = 'dist', port = 0, isPortShared = false } = options
  const { stdout = 'ignore', settings } = options
  const values = { data: dist, store, workers, port, plans: folder.plansFile, 'public-per-minute': 1e9 }
  const args = Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)])
  if (isPortShared) args.push('--reuse-port')
  return spawn(process.execPath, [programPath, 'serve', ...args], {
    // As under npm, it ends by itself if the tests end abruptly.
    env: { PATH: process.env.PATH, INIT_CWD: folder.path, npm_lifecycle_event: 'test', ...settings },
    stdio: ['ignore', stdout, 'pipe'],
    detached: true,
  })
}

function originTold(lines: readonly string[]): string | undefined {
  return lines.map((line) => /^listening on (\S+)$/.exec(line)?.[1]).find((origin) => origin !== undefined)
}

async function isListening({ hostname, port }: URL): Promise<boolean> {
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Returns the worker processes that, by the log, have a release in service and have not ended. */
function workersTold(lines: readonly string[]): number[] {
  const told = (pattern: RegExp) => lines.flatMap((line) => Number(pattern.exec(line)?.[1] ?? []))
  const ended = new Set(told(/"worker (\d+) ended \(/))
  return told(/"pid":(\d+),.*is in service/).filter((pid) => pid > 0 && !ended.has(pid))
}
