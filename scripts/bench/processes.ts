import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Cost } from './probe.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  pid: number
  port: number
}

const stopServers: (() => Promise<unknown>)[] = []

/**
 * Runs a benchmark in a temporary folder, then stops the servers that it started. With
 * BENCH_FOLDER, it runs there and keeps corpora and trees for the next run.
 */
export async function runBench(bench: (folder: string) => void | Promise<void>): Promise<void> {
  const permanentFolder = process.env.BENCH_FOLDER
  if (permanentFolder) mkdirSync(permanentFolder, { recursive: true })
  using temporary = permanentFolder ? null : mkdtempDisposableSync(join(tmpdir(), 'bench-'))
  try {
    await bench(permanentFolder || temporary!.path)
  } finally {
    for (const stop of stopServers) await stop()
  }
}

/**
 * Starts a script of this folder, and waits until it prints `listening on http://…`.
 *
 * @throws {Error} the server exits before that; the message contains its output
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
  const exit = once(child, 'exit')
  stopServers.push(() => {
    child.kill()
    return exit
  })
  let output = ''
  for await (const line of createInterface({ input: child.stderr })) {
    output += `${line}\n`
    const port = /^listening on http:\/\/.*:(\d+)$/.exec(line)?.[1]
    if (port === undefined) continue
    child.stderr.resume()
    return { pid: child.pid!, port: Number(port) }
  }
  throw new Error(`${script} exited before it listened: ${output}`)
}

/**
 * Runs a task of probe.ts in a process of its own and returns its cost. The heap limit is high,
 * because a build of a million clips needs nearly the default of 4 GB.
 */
export function probe(task: 'build' | 'read and write' | 'open', ...folders: string[]): Cost {
  const path = join(import.meta.dirname, 'probe.ts')
  const output = execFileSync(process.execPath, ['--max-old-space-size=12000', path, task, ...folders], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'clip-lookup-bench-modules') },
  })
  return JSON.parse(output) as Cost
}

/** Returns the value below which a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const ascending = values.toSorted((a, b) => a - b)
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))]!
}
