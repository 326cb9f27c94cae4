import { connect } from 'node:net'

/** A GET as it goes over the wire. */
export function get(path: string, fields: Record<string, string> = {}): Buffer {
  const lines = Object.entries({ Host: 'bench', ...fields }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
}

/** A GET with a bearer credential. */
export function keyedGet(path: string, key: string): Buffer {
  return get(path, { Authorization: `Bearer ${key}` })
}

/**
 * Sends `count` requests over keep-alive connections, and returns the answers by status and the
 * time from each request to its answer, in milliseconds. Each connection sends its next request
 * when it has the answer to its last. The load reads no more of an answer than it must, so that the
 * server is what is measured. Nor does it sleep: waking it costs up to 8 µs, which only servers
 * that answer more slowly than it asks would pay.
 */
export async function runLoad(
  port: number,
  connections: number,
  count: number,
  requestAt: (i: number) => Buffer,
) {
  const statuses: Record<number, number> = {}
  const latenciesMs: number[] = []
  let next = 0
  const takeNext = () => (next < count ? requestAt(next++) : null)
  const onAnswer = (status: number, ms: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1
    latenciesMs.push(ms)
  }
  let isOver = false
  const stayAwake = () => {
    if (!isOver) setImmediate(stayAwake)
  }
  stayAwake()
  const drivers = Array.from({ length: Math.min(connections, count) }, () => drive(port, takeNext, onAnswer))
  await Promise.all(drivers).finally(() => {
    isOver = true
  })
  return { statuses, latenciesMs }
}

function drive(
  port: number,
  takeNext: () => Buffer | null,
  onAnswer: (status: number, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let pending: Buffer = Buffer.alloc(0)
    let sentMs = 0
    const send = () => {
      const request = takeNext()
      if (!request) return void socket.end(resolve)
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
      onAnswer(Number(pending.toString('latin1', 9, 12)), performance.now() - sentMs)
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
