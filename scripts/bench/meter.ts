/**
 * `npm run bench:meter`: what authenticating and metering cost: a look-up and its refusals beside a
 * bare `node:http` server that sends the same bytes and headers, and what metrics and the access
 * log add (see `compareCpu`). Arguments go to `serve`. BENCH_STORE is the address of an empty
 * Redis, to measure it in place of a SQLite file.
 */
import { join } from 'node:path'
import { compareCpu, type Row } from './compare-cpu.ts'
import { get, keyedGet, runLoad } from './load.ts'
import { percentile, probe, runBench } from './run.ts'
import { startBare, startService } from './service.ts'

const manyKeys = 1_000
const path = '/v1/clips/en-our-street'
const accounts = ['hot', 'spent', ...Array.from({ length: manyKeys }, (_, i) => `account-${i % 250}`)]
/** What a client without a key can send to make work. */
const floods: Record<string, Record<string, string>> = {
  'no key': {},
  'no key, 15 KB of X-Forwarded-For': { 'X-Forwarded-For': '::,'.repeat(5_000) },
  'no key, 15 KB of Accept-Encoding': { 'Accept-Encoding': 'a;q=0.1,'.repeat(1_900) },
  'a key behind 15 KB of blanks': { Authorization: `Bearer ${' '.repeat(15_000)}clk_${'0'.repeat(38)}` },
}
const marks = `/v1/words?q=${encodeURIComponent('\u0315\u0300\u0327'.repeat(440))}`

await runBench(async (folder) => {
  const tree = `${folder}/tree-sample`
  probe('build', join(import.meta.dirname, '../../src/sample-corpus'), tree)
  const args = process.argv.slice(2)
  const ours = await startService(folder, tree, args, accounts, process.env.BENCH_STORE)
  const [hot, spent, ...many] = ours.keys.map((key) => keyedGet(path, key)) as [Buffer, Buffer, ...Buffer[]]
  const bare = { name: 'bare node:http', server: await startBare(ours, path), requestAt: () => hot }
  const clip: Row = { name: 'clip, one hot key', server: ours, requestAt: () => hot, base: bare }
  const observers = ['--admin-port', '0', '--access-log', join(folder, 'access.log')]
  const observed = await startService(folder, tree, [...args, ...observers])
  const observedClip = keyedGet(path, observed.keys[0]!)
  const refused = (name: string, request: Buffer): Row => {
    return { ...clip, name: `refused, ${name}`, requestAt: () => request, isRefused: true }
  }
  await compareCpu(
    [
      clip,
      { ...clip, name: 'clip, 1,000 keys in turn', requestAt: (i) => many[i % manyKeys]! },
      { ...clip, name: 'clip, metrics and access log', server: observed, requestAt: () => observedClip },
      refused('429', spent),
      ...Object.entries(floods).map(([name, fields]) => refused(name, get(path, fields))),
      refused('no key, 8 KB of combining marks', get(marks)),
    ],
    2_000,
  )
  await printLatency(bare)
  await printLatency(clip)
})

/** The latency of one client. */
async function printLatency({ name, server, requestAt }: Row): Promise<void> {
  const { latenciesMs } = await runLoad(server.port, 1, 3_000, requestAt)
  const [p50, p99] = [0.5, 0.99].map((share) => (percentile(latenciesMs, share) * 1000).toFixed(0))
  console.log(`one connection, ${name}: p50 ${p50} µs, p99 ${p99} µs`)
}
