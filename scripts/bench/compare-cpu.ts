import { readdirSync, readFileSync } from 'node:fs'
import { runLoad } from './load.ts'
import { percentile, type ServerProcess } from './run.ts'

const connections = 32
/** Until the code that answers is compiled. */
const warmUpRounds = 5

/** Requests of one kind to one server. */
export interface Row {
  name: string
  server: ServerProcess
  /** `i` counts the requests of the row, on from round to round. */
  requestAt: (i: number) => Buffer
  base?: Row | undefined
  /** Whether answers other than 200 are expected. */
  isRefused?: boolean
}

/**
 * Measures the CPU time of a request of each row, each round directly after one of its base, and
 * prints medians. A ratio is the median of those of the rounds, because the machine changes its
 * speed: short rounds after one another meet the same. BENCH_REQUESTS and BENCH_ROUNDS set the
 * length.
 */
export async function compareCpu(rows: readonly Row[], usualRequests: number): Promise<void> {
  const perRound = Number(process.env.BENCH_REQUESTS ?? usualRequests)
  const rounds = Number(process.env.BENCH_ROUNDS ?? 25)
  const measured = rows.map((row) => ({ row, own: [] as number[], base: [] as number[] }))
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (const { row, own, base } of measured) {
      const baseUs = row.base ? await cpuUs(row.base, round * perRound, perRound) : NaN
      const us = await cpuUs(row, round * perRound, perRound)
      if (round < warmUpRounds) continue
      base.push(baseUs)
      own.push(us)
    }
  }
  console.log(
    `CPU µs a request, ${connections} connections, median of ${rounds} rounds of ${perRound} (quartiles)`,
  )
  for (const { row, own, base } of measured) {
    const ratios = own.map((us, round) => us / base[round]!)
    const compared = row.base ? `  × ${figures(ratios, 2)} of ${row.base.name} ${figures(base, 1)}` : ''
    console.log(`  ${row.name.padEnd(44)}${figures(own, 1)}${compared}`)
  }
}

/**
 * CPU time that a server spends on each of `count` requests, in microseconds.
 *
 * @throws {Error} an answer has another status than 200, and none is expected
 */
async function cpuUs({ server, requestAt, isRefused }: Row, first: number, count: number): Promise<number> {
  const before = cpuTimeMs(server.pid)
  const { statuses } = await runLoad(server.port, connections, count, (i) => requestAt(first + i))
  if (!isRefused && statuses[200] !== count)
    throw new Error(`wanted 200 from ${requestAt(first).toString()}, got ${JSON.stringify(statuses)}`)
  return ((cpuTimeMs(server.pid) - before) * 1000) / count
}

/**
 * CPU time that a process has spent so far over all its threads, in milliseconds (Linux: proc(5),
 * schedstat).
 */
function cpuTimeMs(pid: number): number {
  const ns = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number.parseInt(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8')),
  )
  return ns.reduce((sum, each) => sum + each, 0) / 1e6
}

function figures(values: readonly number[], decimals: number): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(values, share).toFixed(decimals))
  return `${middle} (${low}–${high})`
}
