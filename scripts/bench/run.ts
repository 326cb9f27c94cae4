import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own. */
export interface ServerProcess {
  pid: number
  port: number
}

const servers: ChildProcess[] = []

/**
 * Runs a bench in a temporary folder, or in BENCH_FOLDER, which keeps corpora and trees from run to
 * run. Then stops the servers that it started.
 */
export async function runBench(bench: (folder: string) => void | Promise<void>): Promise<void> {
  const kept = process.env.BENCH_FOLDER
  if (kept) mkdirSync(kept, { recursive: true })
  using temporary = kept ? null : mkdtempDisposableSync(join(tmpdir(), 'bench-'))
  try {
    await bench(kept || temporary!.path)
  } finally {
    for (const server of servers.filter(({ exitCode, signalCode }) => exitCode === null && !signalCode)) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
  }
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
  const child = spawn(process.execPath, [pathOf(script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  servers.push(child)
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    const port = /^listening on http:\/\/.*:(\d+)$/.exec(line)?.[1]
    if (port === undefined) continue
    child.stderr.resume()
    return { pid: child.pid!, port: Number(port) }
  }
  throw new Error(`${script} ended before it listened: ${said.join('\n')}`)
}

/**
 * The most memory that the heap of a build may take: at a million clips the default of 4 GB would
 * be near.
 */
const heapMb = 12_000

/**
 * Runs a script of this folder in a process of its own, which finds its modules compiled if it ran
 * before, as the service does. Returns the JSON in its last line.
 */
export function runScript<Result>(script: string, ...args: string[]): Result {
  const output = execFileSync(process.execPath, [`--max-old-space-size=${heapMb}`, pathOf(script), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'clip-lookup-bench-modules') },
  })
  return JSON.parse(output.trimEnd().split('\n').at(-1)!) as Result
}

/** What a script of this folder took. */
export interface Took {
  wallS: number
  /** CPU time of all threads, in seconds. */
  cpuS: number
  /** Resident memory at its highest, in megabytes. */
  memoryMb: number
}

/** Runs a script's work, and prints what the process took, for `runScript`. */
export async function printTook(work: () => unknown): Promise<void> {
  const startMs = performance.now()
  await work()
  const { user, system } = process.cpuUsage()
  const took: Took = {
    wallS: (performance.now() - startMs) / 1000,
    cpuS: (user + system) / 1e6,
    memoryMb: process.resourceUsage().maxRSS / 1024,
  }
  process.stdout.write(JSON.stringify(took))
}

/** The path of a file that is named relative to this folder. */
export function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

/** Prints a line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The value that a share of the measurements is below. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
