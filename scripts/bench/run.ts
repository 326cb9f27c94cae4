import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Took } from './probe.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  pid: number
  port: number
}

/** Stops the servers that were started. */
const stops: (() => Promise<unknown>)[] = []

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
    for (const stop of stops) await stop()
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
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  stops.push(() => {
    child.kill()
    return ended
  })
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
 * What a probe takes in a process of its own, which finds its modules compiled if it ran before, as
 * the service does.
 */
export function probe(name: 'build' | 'read and write' | 'open', ...folders: string[]): Took {
  const path = join(import.meta.dirname, 'probe.ts')
  const output = execFileSync(process.execPath, [`--max-old-space-size=${heapMb}`, path, name, ...folders], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'clip-lookup-bench-modules') },
  })
  return JSON.parse(output) as Took
}

/** The value that a share of the measurements is below. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
