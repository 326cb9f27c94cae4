/**
 * `npm run bench:observed`: what metrics and the access log add to a request: CPU time of `serve`
 * with them beside `serve` without (see `compareCpu`).
 */
import { join } from 'node:path'
import { compareCpu, keyedRow } from './compare-cpu.ts'
import { runBench } from './run.ts'
import { makeTree, startService } from './service.ts'

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
  const rows = Object.entries(paths).map(([name, path]) =>
    keyedRow(name, both, path, keyedRow('neither', neither, path)),
  )
  await compareCpu(rows, 2_000)
})
