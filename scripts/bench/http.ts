/**
 * `npm run bench:http`: the CPU time per request of the main operations, including metering, and of
 * metrics and the access log, compared with a bare `node:http` server that sends the same bytes.
 * Argument: a built tree or the address of an origin; by default a new tree of 10,000 clips. With
 * BENCH_STORE, the address of an empty Redis, the counters are there instead of in SQLite.
 */
import { join } from 'node:path'
import { compareCpu, keyedGet, runLoad, type Row } from './compare-cpu.ts'
import { videoIdOf, wordAt } from './corpus.ts'
import { percentile, runBench } from './processes.ts'
import { makeTree, startBare, startService } from './service.ts'

const clipCount = 10_000
const accounts = Array.from({ length: 1_000 }, (_, i) => `account-${i % 250}`)

await runBench(async (folder) => {
  const tree = process.argv[2] ?? makeTree(folder, clipCount).path
  const service = await startService(folder, tree, [], accounts, process.env.BENCH_STORE)
  const clipPath = `/v1/clips/${videoIdOf(0)}`
  const paths: Record<string, (i: number) => string> = {
    clip: () => clipPath,
    transcript: () => `${clipPath}/transcript`,
    'feed of 20, cached': () => '/v1/feed?seed=2026-11-20',
    'feed of 20, new seed each time': (i) => `/v1/feed?seed=s${i}`,
    "a word's clips, cached": () => `/v1/words/${wordAt(0)}/clips`,
    "a word's clips, new word each time": (i) => `/v1/words/${wordAt(i % clipCount)}/clips`,
    'search, cached': () => '/v1/words?q=st',
    'search, cycling through 1,000 strings': (i) => `/v1/words?q=${wordAt(i % 1_000).slice(0, 1 + (i % 4))}`,
  }
  const rows = await Array.fromAsync(Object.entries(paths), async ([name, pathAt]): Promise<Row> => {
    const requestAt = (i: number) => keyedGet(pathAt(i), service.keys[0]!)
    const base = { name: 'bare', server: await startBare(service, pathAt(0)), requestAt }
    return { name, server: service, requestAt, base }
  })
  const clip = rows[0]!
  const keys = service.keys.map((key) => keyedGet(clipPath, key))
  const observers = ['--admin-port', '0', '--access-log', join(folder, 'access.log')]
  const server = await startService(folder, tree, observers)
  const observedRequest = keyedGet(clipPath, server.keys[0]!)
  await compareCpu([
    ...rows,
    { ...clip, name: 'clip, 1,000 keys in turn', requestAt: (i) => keys[i % keys.length]! },
    { ...clip, name: 'clip, metrics and access log', server, requestAt: () => observedRequest },
  ])
  for (const { name, server, requestAt } of [clip.base!, clip]) {
    const latenciesMs = await runLoad({ port: server.port, connections: 1, count: 3_000 }, requestAt)
    const [p50, p99] = [0.5, 0.99].map((share) => (percentile(latenciesMs, share) * 1000).toFixed(0))
    console.log(`one connection, ${name}: median ${p50} µs, 99th percentile ${p99} µs`)
  }
})
