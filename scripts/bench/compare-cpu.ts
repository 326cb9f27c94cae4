import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { percentile, type ServerProcess } from './processes.ts'

const connections = 32
/** The number of rounds before the measurement, in which V8 compiles the code of a request. */
const warmUpRounds = 5
const rounds = Number(process.env.BENCH_ROUNDS ?? 25)
const requestsPerRound = Number(process.env.BENCH_REQUESTS ?? 2_000)

/** Requests of one kind to one server. */
export interface Row {
  name: string
  server: ServerProcess
  /** Returns the request `i`, counted over all rounds. */
  requestAt: (i: number) => string
  /** The statuses that responses may have; 200 unless given. */
  statuses?: readonly string[] | undefined
  /** The row that this one is compared with. */
  base?: Row | undefined
}

/** Returns a GET request, without a key if that is null. */
export function getRequest(path: string, key: string | null): string {
  const field = key === null ? '' : `Authorization: Bearer ${key}\r\n`
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${field}\r\n`
}

/**
 * Measures the CPU time per request of each row, and prints medians with quartiles. The speed of a
 * machine changes, so each round of a row follows one of its base, and their ratio is taken round
 * by round. BENCH_ROUNDS and BENCH_REQUESTS set the number of rounds and requests.
 */
export async function compareCpu(rows: readonly Row[]): Promise<void> {
  const measurements = rows.map((row) => ({ row, times: [] as number[], baseTimes: [] as number[] }))
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const { row, times, baseTimes } of measurements) {
      const first = (round + warmUpRounds) * requestsPerRound
      const baseUs = row.base ? await cpuUs(row.base, first) : NaN
      const us = await cpuUs(row, first)
      if (round < 0) continue
      baseTimes.push(baseUs)
      times.push(us)
    }
  }
  console.log(`CPU µs per request, median of ${rounds} rounds of ${requestsPerRound} (quartiles)`)
  for (const { row, times, baseTimes } of measurements) {
    const ratios = times.map((us, round) => us / baseTimes[round]!)
    const comparison = row.base && `× ${quartiles(ratios, 2)} of ${row.base.name} ${quartiles(baseTimes, 1)}`
    console.log(`  ${row.name.padEnd(44)}${quartiles(times, 1)}  ${comparison ?? ''}`)
  }
}

/** Returns the CPU time that a server spends on each request of a round, in microseconds. */
async function cpuUs({ server, requestAt, statuses }: Row, first: number): Promise<number> {
  const startMs = cpuTimeMs(server.pid)
  const load = { port: server.port, connections, count: requestsPerRound, statuses }
  await runLoad(load, (i) => requestAt(first + i))
  return ((cpuTimeMs(server.pid) - startMs) * 1000) / requestsPerRound
}

/** Returns the CPU time of a process in milliseconds, from Linux's schedstat (proc(5)). */
function cpuTimeMs(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number.parseInt(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8')),
  )
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6
}

/** Returns the median of values, with their quartiles in parentheses. */
export function quartiles(values: readonly number[], decimals: number): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(values, share).toFixed(decimals))
  return `${middle} (${low}–${high})`
}

/** The number of requests, and where they go. */
interface Load extends Pick<Row, 'statuses'> {
  port: number
  connections: number
  count: number
}

/**
 * Sends requests over keep-alive connections, each when the response to the previous one has
 * arrived, and returns the latencies in milliseconds. The client never sleeps, because waking it
 * takes up to 8 µs, which would make a fast server idle.
 *
 * @throws {Error} a response has another status than expected
 */
export async function runLoad(load: Load, requestAt: (i: number) => string): Promise<number[]> {
  const latenciesMs: number[] = []
  const { statuses = ['200'] } = load
  let next = 0
  let isOver = false
  const stayAwake = () => void (isOver || setImmediate(stayAwake))
  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
      let response: Buffer = Buffer.alloc(0)
      let startMs = 0
      const send = () => {
        if (next === load.count) return void socket.end(resolve)
        startMs = performance.now()
        response = Buffer.alloc(0)
        socket.write(requestAt(next++), 'latin1')
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.on('data', (chunk: Buffer) => {
        response = response.length > 0 ? Buffer.concat([response, chunk]) : chunk
        if (!isComplete(response)) return
        latenciesMs.push(performance.now() - startMs)
        if (statuses.includes(response.toString('latin1', 9, 12))) send()
        else
          reject(
            new Error(`expected ${statuses.join(' or ')}, received ${response.toString('utf8', 0, 500)}`),
          )
      })
    })
  stayAwake()
  try {
    await Promise.all(Array.from({ length: load.connections }, runConnection))
  } finally {
    isOver = true
  }
  return latenciesMs
}

function isComplete(response: Buffer): boolean {
  const end = response.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(response.toString('latin1', 0, end))
  return response.length >= end + 4 + Number(length?.[1] ?? 0)
}
