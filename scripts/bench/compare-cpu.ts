import { connections, cpuUsPerRequest, keyedGet } from './load.ts'
import { percentile, print, type ServerProcess } from './run.ts'
import type { BenchService } from './service.ts'

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

/** Requests with the first key of a service. */
export function keyedRow(
  name: string,
  server: BenchService,
  path: string | ((i: number) => string),
  base?: Row,
): Row {
  const pathAt = typeof path === 'string' ? () => path : path
  return { name, server, requestAt: (i) => keyedGet(pathAt(i), server.keys[0]!), base }
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
  const measure = ({ server, requestAt, isRefused }: Row, round: number) => {
    const requestOf = (i: number) => requestAt(round * perRound + i)
    return cpuUsPerRequest(server, perRound, requestOf, isRefused ? undefined : 200)
  }
  const measured = rows.map((row) => ({ row, own: [] as number[], base: [] as number[] }))
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (const { row, own, base } of measured) {
      const baseUs = row.base ? await measure(row.base, round) : NaN
      const us = await measure(row, round)
      if (round < warmUpRounds) continue
      base.push(baseUs)
      own.push(us)
    }
  }
  print(`CPU µs a request, ${connections} connections, median of ${rounds} rounds of ${perRound} (quartiles)`)
  for (const { row, own, base } of measured) {
    const ratios = own.map((us, round) => us / base[round]!)
    const compared = row.base ? `  × ${figures(ratios, 2)} of ${row.base.name} ${figures(base, 1)}` : ''
    print(`  ${row.name.padEnd(44)}${figures(own, 1)}${compared}`)
  }
}

function figures(values: readonly number[], decimals: number): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => percentile(values, share).toFixed(decimals))
  return `${middle} (${low}–${high})`
}
