import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { ServerProcess } from './run.ts'

/** How many connections a load has, unless it says otherwise. */
export const connections = 32

/** The outcome of a run of requests. */
export interface LoadResult {
  /** Answers by status. */
  statuses: Record<number, number>
  /** Time from request to answer of each, in milliseconds. */
  latenciesMs: number[]
}

/** A GET as it goes over the wire. */
export function get(path: string, fields: Record<string, string> = {}): Buffer {
  const lines = Object.entries({ Host: 'bench', ...fields }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
}

/** A GET with a bearer credential. */
export function keyedGet(path: string, key: string, fields: Record<string, string> = {}): Buffer {
  return get(path, { Authorization: `Bearer ${key}`, ...fields })
}

/**
 * CPU time that a server spends on each of `count` requests, in microseconds.
 *
 * @throws {Error} an answer has another status than the one expected
 */
export async function cpuUsPerRequest(
  { pid, port }: ServerProcess,
  count: number,
  requestAt: (i: number) => Buffer,
  status?: number,
): Promise<number> {
  const before = cpuTimeMs(pid)
  const { statuses } = await runLoad(port, connections, count, requestAt)
  if (status !== undefined && statuses[status] !== count)
    throw new Error(`wanted ${status} from ${requestAt(0).toString()}, got ${JSON.stringify(statuses)}`)
  return ((cpuTimeMs(pid) - before) * 1000) / count
}

/**
 * CPU time that a process has spent so far over all its threads, in milliseconds (Linux: proc(5),
 * schedstat).
 */
function cpuTimeMs(pid: number): number {
  let ns = 0
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    ns += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0])
  }
  return ns / 1e6
}

/**
 * Sends `count` requests over keep-alive connections. Each connection sends its next request when
 * it has the answer to its last. The load reads no more of an answer than it must, so that the
 * server is what is measured. Nor does it sleep: waking it costs up to 8 µs, which only servers
 * that answer more slowly than it asks would pay.
 */
export async function runLoad(
  port: number,
  connections: number,
  count: number,
  requestAt: (i: number) => Buffer,
): Promise<LoadResult> {
  const result: LoadResult = { statuses: {}, latenciesMs: [] }
  let next = 0
  const takeNext = () => (next < count ? requestAt(next++) : null)
  let isOver = false
  const stayAwake = () => {
    if (!isOver) setImmediate(stayAwake)
  }
  stayAwake()
  const drivers = Array.from({ length: Math.min(connections, count) }, () => drive(port, takeNext, result))
  await Promise.all(drivers).finally(() => {
    isOver = true
  })
  return result
}

function drive(port: number, takeNext: () => Buffer | null, result: LoadResult): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let pending: Buffer = Buffer.alloc(0)
    let sentMs = 0
    const send = () => {
      const request = takeNext()
      if (!request) return void socket.end(() => resolve())
      sentMs = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection')))
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk
      const length = answerLength(pending)
      if (length === null || pending.length < length) return
      const status = Number(pending.toString('latin1', 9, 12))
      result.statuses[status] = (result.statuses[status] ?? 0) + 1
      result.latenciesMs.push(performance.now() - sentMs)
      pending = pending.subarray(length)
      send()
    })
  })
}

function answerLength(bytes: Buffer): number | null {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)
  return end + 4 + (length ? Number(length[1]) : 0)
}
