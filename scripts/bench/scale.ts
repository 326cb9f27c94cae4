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
import { table } from '../records.ts'
import { probe, runBench, runScript } from './run.ts'
import { makeTree } from './service.ts'

const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000]

/** How many times each release is opened: the longest and the most memory count. */
const openings = 3

await runBench(async (folder) => {
  const trees = sizes.map((clips) => ({ clips, ...makeTree(folder, clips) }))
  console.log(table(await Array.fromAsync(trees, measure)))
  const costs = runScript('probe-requests.ts', ...trees.map(({ path }) => path)) as Record<string, number[]>
  console.log('CPU µs a request: median; × the smallest')
  const rows = Object.entries(costs).map(([request, bySize]) => {
    const cells = bySize.map((us, i) => [
      `${sizes[i]} clips`,
      `${us.toFixed(1)} ×${(us / bySize[0]!).toFixed(2)}`,
    ])
    return { request, ...Object.fromEntries(cells) } as object
  })
  console.log(table(rows))
})

async function measure({ clips, path, built }: ReturnType<typeof makeTree> & { clips: number }) {
  const all = Array.from({ length: openings }, () => probe('open', path))
  return {
    'clips, and words': clips,
    'build, s': built?.wallS.toFixed(1) ?? null,
    'build, MB resident at its highest': built?.memoryMb.toFixed(0) ?? null,
    'tables, MB': (await tablesMb(path)).toFixed(1),
    'open, ms, at most': Math.max(...all.map(({ wallS }) => wallS * 1000)).toFixed(0),
    'resident when open, MB, at most': Math.max(...all.map(({ residentMb }) => residentMb)).toFixed(0),
  }
}

async function tablesMb(tree: string): Promise<number> {
  const inside = join(tree, 'releases', await readCurrent(folderTree(tree)))
  const tables = readdirSync(inside).filter((name) => name.endsWith('.bin'))
  return tables.reduce((sum, name) => sum + statSync(join(inside, name)).size, 0) / 1e6
}
