import { connections, cpuUsPerRequest } from './load.ts'
import { print } from './run.ts'
import type { ServerProcess } from './server-process.ts'
import { median, spread } from './statistics.ts'

/** Requests of one kind to one server. */
export interface Row {
  name: string
  server: ServerProcess
  /** `i` counts the requests of the row, on from round to round. */
  requestAt: (i: number) => Buffer
  /** What it is compared with. */
  base?: Row
  /** Whether answers other than 200 are expected. */
  isRefused?: boolean
}

/**
 * Measures the CPU time of a request of each row and of its base, rounds taken in turn, and prints
 * medians and ratios; beside each median the least and the most, and beside the ratio that of the
 * least, because other work on the machine only adds. BENCH_REQUESTS and BENCH_ROUNDS set the
 * length.
 */
export async function compareCpu(
  rows: readonly Row[],
  usualRequests: number,
  onRound?: () => void,
): Promise<void> {
  const perRound = Number(process.env.BENCH_REQUESTS ?? usualRequests)
  const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
  const cpuUs = new Map(
    rows.flatMap((row) => [row.base ?? row, row]).map((row): [Row, number[]] => [row, []]),
  )
  for (let round = 0; round <= rounds; round++) {
    for (const [{ server, requestAt, isRefused }, measured] of cpuUs) {
      const us = await cpuUsPerRequest(
        server,
        perRound,
        (i) => requestAt(round * perRound + i),
        isRefused ? undefined : 200,
      )
      // The first round warms up.
      if (round > 0) measured.push(us)
    }
    onRound?.()
  }
  print(
    `CPU µs a request, ${connections} connections, median of ${rounds} rounds of ${perRound} (least–most)`,
  )
  const figures = (row: Row) => `${median(cpuUs.get(row)!).toFixed(1)} (${spread(cpuUs.get(row)!, 1)})`
  for (const row of rows) {
    const { name, base } = row
    const ratio = (figure: (values: number[]) => number) =>
      (figure(cpuUs.get(row)!) / figure(cpuUs.get(base!)!)).toFixed(2)
    const compared = base
      ? `  × ${ratio(median)}, least × ${ratio((values) => Math.min(...values))} of ${base.name} ${figures(base)}`
      : ''
    print(`  ${name.padEnd(44)}${figures(row)}${compared}`)
  }
}
