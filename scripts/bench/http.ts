/**
 * `npm run bench:http`: what the endpoints cost through HTTP, metering included, beside a bare
 * `node:http` server that sends the same bytes and headers: CPU time a request, in one run, rounds
 * taken in turn. Argument: a tree that is built (of `bench:scale`); without it one of 10,000 clips
 * is made. BENCH_REQUESTS and BENCH_ROUNDS set the length.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '#kit/seeded-random.ts'
import { captureAnswer } from './capture-answer.ts'
import { connections, cpuUsPerRequest, keyedGet, requestsPerRound, roundCount } from './load.ts'
import { makeWords } from './make-corpus.ts'
import { startServer, stopServers, type ServerProcess } from './server-process.ts'
import { makeTree, pathOf, startService } from './service.ts'
import { median, spread } from './statistics.ts'

const rounds = roundCount(5)
const perRound = requestsPerRound(20_000)
const madeClips = 10_000

interface Case {
  name: string
  ours: ServerProcess
  bare: ServerProcess
  pathAt: (i: number) => string
  cpuUs: { ours: number[]; bare: number[] }
}

using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-http-'))
try {
  await main(temporary.path, process.argv[2] ?? makeTree(temporary.path, madeClips))
} finally {
  await stopServers()
}

async function main(folder: string, tree: string): Promise<void> {
  const ours = await startService(folder, tree)
  const key = ours.keys[0]!
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
    const bare = await startServer(pathOf('servers/bare.ts'), [], {
      BARE_ANSWER: await captureAnswer(ours.port, pathAt(0), key),
    })
    return { name, ours, bare, pathAt, cpuUs: { ours: [], bare: [] } }
  }
  const cases = [
    await add('feed of 20, cached', () => '/v1/feed?seed=2026-11-20'),
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
        const requestAt = (i: number) => keyedGet(each.pathAt(from + i), key)
        const cpuUs = await cpuUsPerRequest(each[side], perRound, requestAt, 200)
        if (round >= 0) each.cpuUs[side].push(cpuUs)
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
