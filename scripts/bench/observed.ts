/**
 * `npm run bench:observed`: what metrics and the access log add to a request: CPU time of `serve`
 * with them beside `serve` without (see `compareCpu`).
 */
import { join } from 'node:path'
import { compareCpu, type Row } from './compare-cpu.ts'
import { keyedGet } from './load.ts'
import { runBench } from './run.ts'
import { makeTree, startService, type BenchService } from './service.ts'

const paths = {
  'feed of 20, cached': '/v1/feed?seed=2026-11-20',
  'clips of a word': '/v1/words/1/clips',
  clip: '/v1/clips/v0000000000',
  transcript: '/v1/clips/v0000000000/transcript',
  'search, hot': '/v1/words?q=st',
}

await runBench(async (folder) => {
  const tree = makeTree(folder, 2_000).path
  const neither = await startService(folder, tree)
  const observed = ['--admin-port', '0', '--access-log', join(folder, 'access.log')]
  const both = await startService(folder, tree, observed)
  const row = (name: string, path: string, server: BenchService): Row => {
    const request = keyedGet(path, server.keys[0]!)
    return { name, server, requestAt: () => request }
  }
  await compareCpu(
    Object.entries(paths).map(([kind, path]) => ({
      ...row(kind, path, both),
      base: row('neither', path, neither),
    })),
    2_000,
  )
})
