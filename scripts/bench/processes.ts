import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Cost } from './probe.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  pid: number
  port: number
  /** Ends the process, and waits until it has ended. */
  stop: () => Promise<unknown>
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
  const stop = stopAtEnd(child)
  let output = ''
  for await (const line of createInterface({ input: child.stderr })) {
    output += `${line}\n`
    const port = /^listening on http:\/\/.*:(\d+)$/.exec(line)?.[1]
    if (port === undefined) continue
    child.stderr.resume()
    return { pid: child.pid!, port: Number(port), stop }
  }
  throw new Error(`${script} exited before it started listening: ${output}`)
}

/** Stops a server when the benchmark ends. Returns a function that stops it before. */
function stopAtEnd(child: ChildProcess): () => Promise<unknown> {
  const exit = once(child, 'exit')
  const stop = () => {
    child.kill()
    return exit
  }
  stopServers.push(stop)
  return stop
}

/** Starts nginx with one process, which serves a folder. Returns null if it is not installed. */
export async function startNginx(folder: string): Promise<ServerProcess | null> {
  const port = await freePort()
  const temporaryPaths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const configuration = `
    daemon off; master_process off; pid nginx.pid;
    events { worker_connections 256; }
    http {
      access_log off; default_type application/json; keepalive_requests 1000000000; tcp_nopush on;
      ${temporaryPaths.map((name) => `${name}_temp_path nginx-${name};`).join(' ')}
      server { listen 127.0.0.1:${port}; root .; }
    }`
  writeFileSync(join(folder, 'nginx.conf'), configuration)
  const child = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: 'ignore' })
  const isInstalled = await once(child, 'spawn').catch(() => false)
  if (!isInstalled) return null
  const stop = stopAtEnd(child)
  while (!(await fetch(`http://127.0.0.1:${port}`).catch(() => null))) {
    if (child.exitCode !== null)
      throw new Error(`nginx exited with code ${child.exitCode} before it started listening`)
    await setTimeout(20)
  }
  return { pid: child.pid!, port, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Returns the resident memory of a process, in megabytes, from Linux's status file (proc(5)). */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) * 1024) / 1e6
}

/** Returns the processes that a process has started, from Linux's list of them (proc(5)). */
export function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return list.split(' ').filter(Boolean).map(Number)
}

/** Empties the system's page cache, as it would be at night. It takes root on Linux. */
export function emptyPageCache(): void {
  try {
    execFileSync('sync')
    writeFileSync('/proc/sys/vm/drop_caches', '3')
  } catch {
    console.log('only root can empty the page cache: files may still be in memory')
  }
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
