/**
 * `npm run bench:http`: what the endpoints cost through HTTP, metering included, beside a bare
 * `node:http` server that sends the same bytes and headers: CPU time a request, in one run, rounds
 * taken in turn. Argument: a tree that is built (of `bench:scale`); without it one of 10,000 clips
 * is made. BENCH_REQUESTS and BENCH_ROUNDS set the length.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { captureAnswer } from './capture-answer.ts'
import { cpuTimeMs } from './cpu-time.ts'
import { rawGet, runLoad } from './load.ts'
import { makeCorpus, makeWords } from './make-corpus.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { startServer, stopServers, type ServerProcess } from './server-process.ts'
import { median, spread } from './statistics.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const connections = 32
const perRound = Number(process.env.BENCH_REQUESTS ?? 20_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const madeClips = 10_000
const plans: Plan[] = [
  { name: 'trial', perPeriod: 20, perMinute: 60 },
  { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 },
]

interface Case {
  name: string
  ours: ServerProcess
  bare: ServerProcess
  pathAt: (i: number) => string
  cpuUs: { ours: number[]; bare: number[] }
}

const folder = mkdtempSync(join(tmpdir(), 'bench-http-'))
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

async function main(tree: string): Promise<void> {
  const url = `sqlite:${join(folder, 'store.sqlite')}`
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const store = await openStore(url, { plans, clock: systemClock })
  const desk = { store, plans, clock: systemClock, random: randomBytes }
  const { key } = await createKey(desk, { account: 'bench', plan: 'ample' })
  await store.close()
  const args = ['--data', tree, '--store', url, '--plans', plansFile, '--port', '0']
  const ours = await startServer(here('../clip-lookup.ts'), [
    'serve',
    ...args,
    '--log-level',
    'error',
    '--workers',
    '1',
  ])
  const answerOf = async (path: string) =>
    (await (
      await fetch(`http://127.0.0.1:${ours.port}${path}`, { headers: { authorization: `Bearer ${key}` } })
    ).json()) as { clipId: string; words: { wordId: number }[]; totalCount: number }

  const random = seededRandom(1)
  const words = makeWords(20_000)
  const { totalCount: wordCount } = await answerOf('/v1/words?hasClips=false')
  const names = words.slice(0, Math.min(madeClips, wordCount)).map(encodeURIComponent)
  const texts = Array.from({ length: 100_000 }, () => {
    const word = words[Math.floor(random() * words.length)]!
    return encodeURIComponent(word.slice(0, 3 + Math.floor(random() * 4)))
  })
  const most = (await answerOf('/v1/words')).words[0]!.wordId
  const { totalCount } = await answerOf(`/v1/words/${most}/clips`)
  const { clipId } = await answerOf('/v1/clips/v0000000000')
  const limits = Array.from({ length: 100 }, (_, i) => i + 1)
  process.stdout.write(`the most covered word has ${totalCount} clips\n`)
  const add = async (name: string, pathAt: (i: number) => string): Promise<Case> => {
    const bare = await startServer(here('servers/bare.ts'), [], {
      BARE_ANSWER: await captureAnswer(ours.port, pathAt(0), key),
    })
    return { name, ours, bare, pathAt, cpuUs: { ours: [], bare: [] } }
  }
  const cases = [
    await add('feed of 20, kept', () => '/v1/feed?seed=2026-11-20'),
    await add('feed of 20, another seed each', (i) => `/v1/feed?seed=s${i}`),
    await add('word→clips of 20', () => `/v1/words/${most}/clips`),
    await add('word→clips of 20, another word each', (i) => `/v1/words/${names[i % names.length]}/clips`),
    await add('search, hot', () => '/v1/words?q=st'),
    await add(
      'search, another text each',
      (i) =>
        `/v1/words?hasClips=false&limit=${limits[19]}&q=${texts[i % texts.length]}${i < texts.length ? '' : 'e'}`,
    ),
    await add('transcript', () => `/v1/clips/${clipId}/transcript`),
    await add('clip', () => `/v1/clips/${clipId}`),
  ]
  let sent = 0
  for (let round = -1; round < rounds; round++) {
    for (const each of cases) {
      for (const side of ['bare', 'ours'] as const) {
        const from = side === 'ours' ? (sent += perRound) : 0
        const server = each[side]
        const before = cpuTimeMs(server.pid)
        const { statuses } = await runLoad(server.port, connections, perRound, (i) =>
          rawGet(each.pathAt(from + i), { Authorization: `Bearer ${key}` }),
        )
        if (statuses[200] !== perRound)
          throw new Error(`${each.name}: wanted 200, got ${JSON.stringify(statuses)}`)
        if (round >= 0) each.cpuUs[side].push(((cpuTimeMs(server.pid) - before) * 1000) / perRound)
      }
    }
  }
  print(cases)
}

function print(cases: readonly Case[]): void {
  process.stdout.write(
    `CPU µs a request, ${connections} connections, median of ${rounds} rounds of ${perRound} (min–max)\n`,
  )
  for (const { name, cpuUs } of cases) {
    const [ours, bare] = [median(cpuUs.ours), median(cpuUs.bare)]
    process.stdout.write(
      `  ${name.padEnd(40)} ${ours.toFixed(1)} (${spread(cpuUs.ours, 0)})  bare ${bare.toFixed(1)} (${spread(cpuUs.bare, 0)})  × ${(ours / bare).toFixed(2)}\n`,
    )
  }
}
