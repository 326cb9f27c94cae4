/**
 * `npm run bench:scale`: what a release costs as it grows. Seeded corpora of 1,000 to 1,000,000
 * clips with as many catalogue words, each built by the nightly build, opened in a process of its
 * own, and asked through HTTP beside the smallest (see `compareCpu`). Arguments: the sizes.
 * BENCH_FOLDER keeps corpora and trees from run to run.
 */
import { table } from '../records.ts'
import { compareCpu, type Row } from './compare-cpu.ts'
import { keyedGet } from './load.ts'
import { videoIdOf } from './make-corpus.ts'
import { probe, runBench } from './run.ts'
import { makeTree, startService } from './service.ts'

const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000]

/** How many times each release is opened: the longest and the most memory count. */
const openings = 3

await runBench(async (folder) => {
  const trees = sizes.map((clips) => ({ clips, ...makeTree(folder, clips) }))
  console.log(table(trees.map(measure)))
  const services = await Array.fromAsync(trees, ({ path }) => startService(folder, path))
  const rowsOf = (name: string, pathAt: (i: number, clips: number) => string): Row[] => {
    const rows = services.map((server, at): Row => {
      const requestAt = (i: number) => keyedGet(pathAt(i, sizes[at]!), server.keys[0]!)
      return { name: `${name}, ${sizes[at]} clips`, server, requestAt }
    })
    return rows.map((row, at) => (at === 0 ? row : { ...row, base: rows[0] }))
  }
  /** No two requests to a service have the same seed. */
  let seed = 0
  /** One of a thousand clips, so that their files are in memory whatever the size. */
  const someClip = (i: number, clips: number) =>
    `/v1/clips/${videoIdOf((i % 1_000) * Math.floor(clips / 1_000))}`
  await compareCpu(
    [
      ...rowsOf('feed, another seed each', () => `/v1/feed?seed=s${seed++}`),
      ...rowsOf('clip', someClip),
      ...rowsOf('transcript', (i, clips) => `${someClip(i, clips)}/transcript`),
    ],
    2_000,
  )
})

function measure({ clips, path, built }: ReturnType<typeof makeTree> & { clips: number }) {
  const all = Array.from({ length: openings }, () => probe('open', path))
  return {
    'clips, and words': clips,
    'build, s': built?.wallS.toFixed(1) ?? null,
    'build, MB resident at its highest': built?.memoryMb.toFixed(0) ?? null,
    'open, ms, at most': Math.max(...all.map(({ wallS }) => wallS * 1000)).toFixed(0),
    'resident when open, MB, at most': Math.max(...all.map(({ residentMb }) => residentMb)).toFixed(0),
  }
}
