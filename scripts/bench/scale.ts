/**
 * `npm run bench:scale`: what a release costs as it grows. Seeded corpora of 1,000 to 1,000,000
 * clips with as many catalogue words, each built by the nightly build, opened and asked in
 * processes of their own. Arguments: the sizes. BENCH_FOLDER keeps corpora and trees from run to
 * run.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCorpus } from './make-corpus.ts'
import type { Built } from './build-tree.ts'
import type { Opening } from './probe-opening.ts'
import type { Cost } from './probe-requests.ts'
import { pathOf } from './service.ts'

const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000]
const kept = process.env.BENCH_FOLDER
const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-scale-'))

/**
 * The most memory that the heap of a build may take: at a million clips the default of 4 GB would
 * be near.
 */
const heapMb = 12_000

interface Made extends Built {
  clips: number
  tree: string
  tablesMb: number
}
type Row = Made & Opening

/** How many times each release is opened: the longest and the most memory count. */
const openings = 3

try {
  const rows = sizes.map(make).map((made) => ({ ...made, ...opened(made.tree) }))
  print(rows, run<Record<string, Cost[]>>('probe-requests.ts', ...rows.map(({ tree }) => tree)))
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
}

function make(clips: number): Made {
  const corpus = join(folder, `corpus-${clips}`)
  const tree = join(folder, `tree-${clips}`)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(corpus)) makeCorpus(corpus, clips)
  const built = existsSync(join(tree, 'current.json'))
    ? { buildS: NaN, buildCpuS: NaN, buildMb: NaN }
    : run<Built>('build-tree.ts', corpus, tree)
  return { clips, tree, ...built, tablesMb: tablesMb(tree) }
}

function opened(tree: string): Opening {
  const all = Array.from({ length: openings }, () => run<Opening>('probe-opening.ts', tree))
  return {
    openMs: Math.max(...all.map(({ openMs }) => openMs)),
    residentMb: Math.max(...all.map(({ residentMb }) => residentMb)),
  }
}

function run<Result>(script: string, ...args: string[]): Result {
  const output = execFileSync(process.execPath, [`--max-old-space-size=${heapMb}`, pathOf(script), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return JSON.parse(output) as Result
}

function tablesMb(tree: string): number {
  const { release } = JSON.parse(readFileSync(join(tree, 'current.json'), 'utf8')) as { release: string }
  const inside = join(tree, 'releases', release)
  const sizes = readdirSync(inside).map((name) =>
    name.endsWith('.bin') ? statSync(join(inside, name)).size : 0,
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

/** `costs`: what requests of each kind cost, by release. */
function print(rows: readonly Row[], costs: Readonly<Record<string, readonly Cost[]>>): void {
  const line = (name: string, cells: readonly string[]) =>
    process.stdout.write(`${name.padEnd(36)}${cells.map((cell) => cell.padStart(18)).join('')}\n`)
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
  process.stdout.write('CPU µs a request: median, worst; × the smallest\n')
  for (const [name, bySize] of Object.entries(costs)) {
    const base = bySize[0]!.median
    line(
      name,
      bySize.map(({ median, worst }) => `${median.toFixed(1)} ${worst} ×${(median / base).toFixed(2)}`),
    )
  }
}
