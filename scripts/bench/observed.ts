/**
 * `npm run bench:observed`: what metrics and the access log add to a request: CPU time of `serve`
 * with them beside `serve` without, in one run, rounds taken in turn. The least of the rounds
 * counts, because other work on the machine only adds. BENCH_REQUESTS and BENCH_ROUNDS set the
 * length.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connections, cpuUsPerRequest, keyedGet, requestsPerRound, roundCount } from './load.ts'
import { stopServers } from './server-process.ts'
import { makeTree, startService } from './service.ts'

const rounds = roundCount(5)
const perRound = requestsPerRound(10_000)
const madeClips = 2_000
const paths = {
  'feed of 20, cached': '/v1/feed?seed=2026-11-20',
  clip: '/v1/clips/v0000000000',
  'search, hot': '/v1/words?q=st',
}

using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-observed-'))
const folder = temporary.path
const tree = makeTree(folder, madeClips)
const log = ['--access-log', join(folder, 'access.log')]
const metrics = ['--admin-port', '0']
try {
  const sides = {
    neither: await startService(folder, tree),
    metrics: await startService(folder, tree, metrics),
    'access log': await startService(folder, tree, log),
    both: await startService(folder, tree, [...metrics, ...log]),
  }
  process.stdout.write(
    `CPU µs a request, ${connections} connections, least of ${rounds} rounds of ${perRound}\n`,
  )
  for (const [name, path] of Object.entries(paths)) {
    const spent = new Map(Object.keys(sides).map((side) => [side, Infinity]))
    for (let round = -1; round < rounds; round++) {
      for (const [side, server] of Object.entries(sides)) {
        const request = keyedGet(path, server.keys[0]!)
        const cpuUs = await cpuUsPerRequest(server, perRound, () => request, 200)
        if (round >= 0) spent.set(side, Math.min(spent.get(side)!, cpuUs))
      }
    }
    const neither = spent.get('neither')!
    const shown = [...spent].map(([side, us]) => `${side} ${us.toFixed(1)} × ${(us / neither).toFixed(2)}`)
    process.stdout.write(`  ${name.padEnd(20)} ${shown.join('   ')}\n`)
  }
} finally {
  await stopServers()
}
