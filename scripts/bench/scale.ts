/**
 * `npm run bench:scale`: what a release costs as it grows. Seeded corpora of 1,000 to 1,000,000
 * clips with as many catalogue words, each built by the nightly build, opened and asked in
 * processes of their own. Arguments: the sizes. BENCH_FOLDER keeps corpora and trees from run to
 * run.
 */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import type { Cost } from './probe-requests.ts'
import { print, probe, runBench, runScript } from './run.ts'
import { makeTree } from './service.ts'

const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000]

/** How many times each release is opened: the longest and the most memory count. */
const openings = 3

await runBench(async (folder) => {
  const rows = await Array.fromAsync(sizes, (clips) => measure(folder, clips))
  const trees = rows.map(({ tree }) => tree)
  printTable(rows, runScript('probe-requests.ts', ...trees) as Record<string, Cost[]>)
})

type Row = Awaited<ReturnType<typeof measure>>

async function measure(folder: string, clips: number) {
  const { path: tree, built } = makeTree(folder, clips)
  const all = Array.from({ length: openings }, () => probe('open', tree))
  return {
    clips,
    tree,
    buildS: built?.wallS ?? NaN,
    buildMb: built?.memoryMb ?? NaN,
    tablesMb: await tablesMb(tree),
    openMs: Math.max(...all.map(({ wallS }) => wallS * 1000)),
    residentMb: Math.max(...all.map(({ residentMb }) => residentMb)),
  }
}

async function tablesMb(tree: string): Promise<number> {
  const inside = join(tree, 'releases', await readCurrent(folderTree(tree)))
  const tables = readdirSync(inside).filter((name) => name.endsWith('.bin'))
  return tables.reduce((sum, name) => sum + statSync(join(inside, name)).size, 0) / 1e6
}

function printTable(rows: readonly Row[], costs: Readonly<Record<string, readonly Cost[]>>): void {
  const line = (name: string, cells: readonly string[]) =>
    print(name.padEnd(36) + cells.map((cell) => cell.padStart(18)).join(''))
  const column = (name: string, digits: number, valueOf: (row: Row) => number) =>
    line(
      name,
      rows.map((row) => valueOf(row).toFixed(digits)),
    )
  column('clips, and words', 0, ({ clips }) => clips)
  column('build, s', 1, ({ buildS }) => buildS)
  column('build, MB resident at its highest', 0, ({ buildMb }) => buildMb)
  column('tables, MB', 1, (row) => row.tablesMb)
  column('open, ms, at most', 0, ({ openMs }) => openMs)
  column('resident when open, MB, at most', 0, ({ residentMb }) => residentMb)
  print('CPU µs a request: median, worst; × the smallest')
  for (const [name, bySize] of Object.entries(costs)) {
    const base = bySize[0]!.median
    line(
      name,
      bySize.map(({ median, worst }) => `${median.toFixed(1)} ${worst} ×${(median / base).toFixed(2)}`),
    )
  }
}
