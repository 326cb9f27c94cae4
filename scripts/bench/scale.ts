/**
 * `npm run bench:scale`: how the cost of a release grows with the number of clips. Builds and opens
 * corpora of 1,000 to 1,000,000 clips with as many catalogue words. Prints the memory of two
 * workers before and after 2,000 requests, with a cold and a warm page cache. Compares the CPU time
 * per request with that of the smallest. Arguments: the sizes.
 */
import { table } from '../records.ts'
import { compareCpu, getRequest, runLoad, type Row } from './compare-cpu.ts'
import { videoIdOf, wordAt } from './corpus.ts'
import { childrenOf, emptyPageCache, percentile, probe, residentMb, runBench } from './processes.ts'
import { makeTree, startService } from './service.ts'

const sizes =
  process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 100_000, 1_000_000]

await runBench(async (folder) => {
  const trees = sizes.map((clips) => ({ clips, ...makeTree(folder, clips) }))
  const costs = trees.map(({ clips, path, cost }) => {
    const openings = Array.from({ length: 3 }, () => probe('open', path))
    const most = (values: readonly number[]) => Math.max(...values).toFixed(0)
    return {
      'clips, and words': clips,
      'build, s': cost?.wallS.toFixed(1) ?? null,
      'build, peak MB': cost?.peakMb.toFixed(0) ?? null,
      'open, ms (slowest of 3)': most(openings.map(({ wallS }) => wallS * 1000)),
      'resident when open, MB (most of 3)': most(openings.map(({ residentMb }) => residentMb)),
    }
  })
  console.log(table(costs))
  const memory = await Array.fromAsync(
    trees.flatMap((tree) => ['cold', 'warm'].map((cache) => ({ ...tree, cache }))),
    async ({ clips, path, cache }) => {
      if (cache === 'cold') emptyPageCache()
      const { pid, port, key, stop } = await startService(folder, path, { workers: 2 })
      const workers = childrenOf(pid)
      const residentOfEach = () => workers.map((worker) => residentMb(worker).toFixed(0)).join(', ')
      const whenOpen = residentOfEach()
      const requestAt = (i: number) => getRequest(`/v1/feed?seed=s${i}`, key)
      const latenciesMs = await runLoad({ port, connections: 32, count: 2_000 }, requestAt)
      const afterLoad = residentOfEach()
      await stop()
      return {
        'clips, and words': clips,
        'page cache': cache,
        'resident of each worker when open, MB': whenOpen,
        'after 2,000 feed pages, MB': afterLoad,
        'feed page, ms (99th percentile)': percentile(latenciesMs, 0.99).toFixed(1),
      }
    },
  )
  console.log(table(memory))
  const services = await Array.fromAsync(trees, async ({ clips, path }) => {
    return { clips, server: await startService(folder, path) }
  })
  const rowsOf = (operation: string, pathAt: (i: number, clips: number) => string): Row[] => {
    const [base, ...others] = services.map(({ clips, server }): Row => {
      const requestAt = (i: number) => getRequest(pathAt(i, clips), server.key)
      return { name: `${operation}, ${clips} clips`, server, requestAt }
    })
    return [base!, ...others.map((row) => ({ ...row, base }))]
  }
  /** A counter instead of `i`, which begins again when the smallest size is the base of others. */
  let count = 0
  const newWord = (clips: number) => wordAt(count++ % clips)
  /** The first of 1,000 clips, so that the page cache holds their files at every size. */
  const clipAt = (i: number, clips: number) =>
    `/v1/clips/${videoIdOf((i % 1_000) * Math.floor(clips / 1_000))}`
  await compareCpu([
    ...rowsOf('feed, new seed each time', () => `/v1/feed?seed=s${count++}`),
    ...rowsOf('clip', clipAt),
    ...rowsOf('transcript', (i, clips) => `${clipAt(i, clips)}/transcript`),
    // One of 997 channels, so that a page examines as many clips as it may.
    ...rowsOf("a word's clips in a channel", (_, clips) => `/v1/words/${newWord(clips)}/clips?channel=UC1`),
  ])
})
