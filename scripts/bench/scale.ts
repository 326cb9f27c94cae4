/**
 * `npm run bench:scale`: what a release costs as it grows. Seeded corpora of 1,000 to 1,000,000
 * clips with as many catalogue words, each built by the nightly build, opened and asked in
 * processes of their own. Arguments: the sizes. BENCH_FOLDER keeps corpora and trees from run to
 * run.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Opening } from './probe-opening.ts'
import type { Cost } from './probe-requests.ts'
import { print, runBench, runScript, type Took } from './run.ts'
import { makeTree } from './service.ts'

const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000]

interface Row extends Took, Opening {
  clips: number
  tree: string
  tablesMb: number
}

/** How many times each release is opened: the longest and the most memory count. */
const openings = 3

await runBench((folder) => {
  const rows = sizes.map((clips) => measure(folder, clips))
  const trees = rows.map(({ tree }) => tree)
  printTable(rows, runScript<Record<string, Cost[]>>('probe-requests.ts', ...trees))
})

function measure(folder: string, clips: number): Row {
  const notBuilt: Took = { wallS: NaN, cpuS: NaN, memoryMb: NaN }
  const { path: tree, built = notBuilt } = makeTree(folder, clips)
  const all = Array.from({ length: openings }, () => runScript<Opening>('probe-opening.ts', tree))
  return {
    clips,
    tree,
    ...built,
    tablesMb: tablesMb(tree),
    openMs: Math.max(...all.map(({ openMs }) => openMs)),
    residentMb: Math.max(...all.map(({ residentMb }) => residentMb)),
  }
}

function tablesMb(tree: string): number {
  const { release } = JSON.parse(readFileSync(join(tree, 'current.json'), 'utf8')) as { release: string }
  const inside = join(tree, 'releases', release)
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
  column('build, s', 1, ({ wallS }) => wallS)
  column('build, MB resident at its highest', 0, ({ memoryMb }) => memoryMb)
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
