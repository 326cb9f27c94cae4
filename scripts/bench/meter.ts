/**
 * `npm run bench:meter`: what authenticating and metering cost: a look-up and its refusals beside a
 * bare `node:http` server that sends the same bytes and headers (see `compareCpu`). Arguments go to
 * `serve`.
 */
import { compareCpu, type Row } from './compare-cpu.ts'
import { keyedGet, runLoad } from './load.ts'
import { pathOf, print, runBench, runScript } from './run.ts'
import { startBare, startService, type BenchAccount } from './service.ts'
import { percentile } from './statistics.ts'

const manyKeys = 1_000
const path = '/v1/clips/en-our-street'
const accounts: BenchAccount[] = [
  { account: 'hot', plan: 'ample' },
  { account: 'spent', plan: 'spent' },
  ...Array.from({ length: manyKeys }, (_, i): BenchAccount => ({
    account: `account-${i % 250}`,
    plan: 'ample',
  })),
]

await runBench(async (folder) => {
  const tree = `${folder}/tree-sample`
  runScript('build-tree.ts', pathOf('../../src/sample-corpus'), tree)
  const ours = await startService(folder, tree, process.argv.slice(2), accounts)
  const [hot, spent, ...many] = ours.keys.map((key) => keyedGet(path, key)) as [Buffer, Buffer, ...Buffer[]]
  const unknown = keyedGet(path, `clk_${'0'.repeat(38)}`)
  const bare = { name: 'bare node:http', server: await startBare(ours, path), requestAt: () => hot }
  const clip: Row = { name: 'clip, one hot key', server: ours, requestAt: () => hot, base: bare }
  await compareCpu(
    [
      clip,
      { ...clip, name: 'clip, 1,000 keys in turn', requestAt: (i) => many[i % manyKeys]! },
      { ...clip, name: 'refused, 429', requestAt: () => spent, isRefused: true },
      { ...clip, name: 'refused, 401', requestAt: () => unknown, isRefused: true },
    ],
    4_000,
  )
  await printLatency(bare)
  await printLatency(clip)
})

async function printLatency({ name, server, requestAt }: Row): Promise<void> {
  const { latenciesMs } = await runLoad(server.port, 1, 5_000, requestAt)
  const us = (share: number) => (percentile(latenciesMs, share) * 1000).toFixed(0)
  print(`one connection, ${name}: p50 ${us(0.5)} µs, p99 ${us(0.99)} µs`)
}
