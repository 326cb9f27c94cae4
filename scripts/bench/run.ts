import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopServers } from './server-process.ts'

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
    await stopServers()
  }
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
