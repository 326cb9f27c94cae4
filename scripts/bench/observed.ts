/**
 * `npm run bench:observed`: what metrics and the access log add to a request: CPU time of `serve`
 * with them beside `serve` without (see `compareCpu`).
 */
import { join } from 'node:path'
import { compareCpu, type Row } from './compare-cpu.ts'
import { keyedGet } from './load.ts'
import { runBench } from './run.ts'
import { makeTree, startService } from './service.ts'

const paths = {
  'feed of 20, cached': '/v1/feed?seed=2026-11-20',
  clip: '/v1/clips/v0000000000',
  'search, hot': '/v1/words?q=st',
}

await runBench(async (folder) => {
  const tree = makeTree(folder, 2_000).path
  const log = ['--access-log', join(folder, 'access.log')]
  const metrics = ['--admin-port', '0']
  const neither = await startService(folder, tree)
  const sides = {
    metrics: await startService(folder, tree, metrics),
    'access log': await startService(folder, tree, log),
    both: await startService(folder, tree, [...metrics, ...log]),
  }
  const rows = Object.entries(paths).flatMap(([kind, path]) => {
    const request = keyedGet(path, neither.keys[0]!)
    const base: Row = { name: 'neither', server: neither, requestAt: () => request }
    return Object.entries(sides).map(([side, server]): Row => {
      const keyed = keyedGet(path, server.keys[0]!)
      return { name: `${kind}: ${side}`, server, requestAt: () => keyed, base }
    })
  })
  await compareCpu(rows, 2_000)
})
