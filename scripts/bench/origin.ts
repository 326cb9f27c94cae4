/**
 * `npm run bench:origin`: what an origin over HTTP costs the proxy: warm requests beside those of a
 * service on the same tree in a folder, and transcripts that are not in memory beside `http-proxy`
 * that forwards the same files: CPU time a request, in one run, rounds taken in turn. Argument: a
 * tree that is built (of `bench:scale`, 60,000 clips or more); without it one is made.
 * BENCH_REQUESTS and BENCH_ROUNDS set the length.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { cpuTimeMs } from './cpu-time.ts'
import { rawGet, runLoad } from './load.ts'
import { makeCorpus } from './make-corpus.ts'
import { startServer, stopServers, type ServerProcess } from './server-process.ts'
import { median, spread } from './statistics.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const connections = 32
const perRound = Number(process.env.BENCH_REQUESTS ?? 10_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
/** More transcripts than the proxy keeps in memory, so that each is read again. */
const madeClips = 60_000
const plans: Plan[] = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 },
]

const folder = mkdtempSync(join(tmpdir(), 'bench-origin-'))
try {
  await main(process.argv[2] ?? madeTree())
} finally {
  await stopServers()
  rmSync(folder, { recursive: true, force: true })
}

function madeTree(): string {
  makeCorpus(join(folder, 'corpus'), madeClips)
  execFileSync(process.execPath, [here('build-tree.ts'), join(folder, 'corpus'), join(folder, 'tree')])
  return join(folder, 'tree')
}

interface Side {
  server: ServerProcess
  key: string
}

async function serve(name: string, data: string): Promise<Side> {
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const url = `sqlite:${join(folder, name)}.sqlite`
  const store = await openStore(url, { plans, clock: systemClock })
  const context = { store, plans, clock: systemClock, random: randomBytes }
  const { key } = await createKey(context, { account: 'bench', plan: 'ample' })
  await store.close()
  const place = ['--data', data, '--data-cache', join(folder, name), '--store', url, '--plans', plansFile]
  const quiet = ['--port', '0', '--log-level', 'error', '--workers', '1']
  return { server: await startServer(here('../clip-lookup.ts'), ['serve', ...place, ...quiet]), key }
}

/** CPU time of one request, in microseconds. */
async function measure({ server, key }: Side, pathAt: (i: number) => string): Promise<number> {
  const before = cpuTimeMs(server.pid)
  const { statuses } = await runLoad(server.port, connections, perRound, (i) =>
    rawGet(pathAt(i), { Authorization: `Bearer ${key}` }),
  )
  if (statuses[200] !== perRound) throw new Error(`wanted 200, got ${JSON.stringify(statuses)}`)
  return ((cpuTimeMs(server.pid) - before) * 1000) / perRound
}

interface Case {
  name: string
  sides: [name: string, side: Side, pathAt: (i: number) => string][]
}

async function main(tree: string): Promise<void> {
  const clips = clipsOf(tree)
  const origin = await startServer(here('servers/files.ts'), [tree])
  const address = `http://127.0.0.1:${origin.port}`
  const local = await serve('folder', tree)
  const remote = await serve('origin', address)
  const forward: Side = { server: await startServer(here('servers/forward.ts'), [address]), key: 'none' }
  const warm = (name: string, path: string): Case => ({
    name,
    sides: [
      ['origin', remote, () => path],
      ['folder', local, () => path],
    ],
  })
  const someClip = clips[0]!.videoId
  let asked = 0
  const next = (i: number) => clips[(asked + i) % clips.length]!
  const cases: Case[] = [
    warm('feed of 20', '/v1/feed?seed=2026-11-20'),
    warm('clips of a word', '/v1/words/1/clips'),
    warm('search', '/v1/words?q=st'),
    warm('transcript', `/v1/clips/${someClip}/transcript`),
    {
      name: 'transcript, not in memory',
      sides: [
        ['origin', remote, (i) => `/v1/clips/${next(i).videoId}/transcript`],
        ['http-proxy', forward, (i) => `/${next(i).transcript}`],
      ],
    },
  ]
  process.stdout.write(
    `CPU µs a request, ${connections} connections, ${clips.length} clips, median of ${rounds} rounds of ${perRound} (min–max)\n`,
  )
  for (const { name, sides } of cases) {
    const spent = sides.map((): number[] => [])
    for (let round = -1; round < rounds; round++) {
      for (const [i, [, side, pathAt]] of sides.entries()) {
        const cpuUs = await measure(side, pathAt)
        if (round >= 0) spent[i]!.push(cpuUs)
      }
      asked += perRound
    }
    const shown = sides.map(
      ([side], i) => `${side} ${median(spent[i]!).toFixed(1)} (${spread(spent[i]!, 1)})`,
    )
    const ratio = median(spent[0]!) / median(spent[1]!)
    process.stdout.write(`  ${name.padEnd(28)} ${shown.join('  ')}  × ${ratio.toFixed(2)}\n`)
  }
}

interface IndexedClip {
  videoId: string
  transcript: string
}

/** The clips of a tree, from its index of files. */
function clipsOf(tree: string): IndexedClip[] {
  const read = <T>(path: string) => JSON.parse(readFileSync(join(tree, path), 'utf8')) as T
  const { languages } = read<{ languages: Record<string, { clips: string[] }> }>('index.json')
  return languages.en!.clips.flatMap((path) => read<{ items: IndexedClip[] }>(path).items)
}
