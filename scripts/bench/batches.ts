/**
 * `npm run bench:batches`: what batches, filters and sentence searches cost next to the plain
 * requests, in CPU time of the server through HTTP, metering included. No answer comes from a
 * cache: each request has other parameters. Argument: a tree of `make-night-corpus.ts`; without it
 * one of 30,000 clips is made. BENCH_REQUESTS and BENCH_ROUNDS set the length.
 */
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { openRelease, readCurrent, type Release } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { cpuUsPerRequest, keyedGet, requestsPerRound, roundCount } from './load.ts'
import { writeCatalogue, writeClips } from './make-night-corpus.ts'
import { stopServers } from './server-process.ts'
import { buildTree, startService } from './service.ts'
import { median, spread } from './statistics.ts'

const rounds = roundCount(5)
const perRound = requestsPerRound(1_000)
const madeClips = 30_000
const random = seededRandom(20)
const below = (count: number) => Math.floor(random() * count)

/** Requests of one kind, and those that they are compared with. */
interface Case {
  name: string
  pathAt: (i: number) => string
  beside?: Case
  cpuUs: number[]
}

using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-batches-'))
try {
  await main(temporary.path, process.argv[2] ?? makeTree(temporary.path))
} finally {
  await stopServers()
}

function makeTree(folder: string): string {
  const corpus = join(folder, 'corpus')
  writeCatalogue(corpus)
  writeClips(corpus, 0, madeClips)
  return buildTree(corpus, join(folder, 'tree'))
}

async function main(folder: string, path: string): Promise<void> {
  const tree = folderTree(path)
  const cases = casesOf(await openRelease(tree, await readCurrent(tree)), path)
  const server = await startService(folder, path)
  let sent = 0
  for (let round = -1; round < rounds; round++) {
    for (const { pathAt, cpuUs } of cases) {
      const from = (sent += perRound)
      const requestAt = (i: number) => keyedGet(pathAt(from + i), server.keys[0]!)
      const us = await cpuUsPerRequest(server, perRound, requestAt, 200)
      if (round >= 0) cpuUs.push(us)
    }
    process.stdout.write(`resident after round ${round + 1}: ${residentMb(server.pid).toFixed(0)} MB\n`)
  }
  process.stdout.write(`CPU µs a request, median of ${rounds} rounds of ${perRound} (min–max)\n`)
  for (const { name, beside, cpuUs } of cases) {
    const ratio = beside ? `  × ${(median(cpuUs) / median(beside.cpuUs)).toFixed(2)} of ${beside.name}` : ''
    process.stdout.write(`  ${name.padEnd(44)}${median(cpuUs).toFixed(1)} (${spread(cpuUs, 0)})${ratio}\n`)
  }
}

/** `tree` is the path of the tree that the release is in. */
function casesOf({ clips, words }: Release, tree: string): Case[] {
  const { clipsEnd } = words.rangeOf('en')
  const { domain } = clips.rangeOf('en')
  const anyWord = () => words.word(below(clipsEnd))
  const ids = (count: number, anyId: () => string | number) => Array.from({ length: count }, anyId).join()
  const seeded = (i: number, filter = '') => `/v1/feed?seed=s${i}${filter}`
  const cases: Case[] = []
  const add = (name: string, pathAt: Case['pathAt'], beside?: Case) => {
    const added = { name, pathAt, ...(beside && { beside }), cpuUs: [] }
    cases.push(added)
    return added
  }
  const word = add('a word', () => `/v1/words/${words.wordId(below(clipsEnd))}`)
  add('100 words by id', () => `/v1/words?ids=${ids(100, () => words.wordId(below(clipsEnd)))}`, word)
  const clip = add('a clip', () => `/v1/clips/${clips.clipId(below(domain))}`)
  add('50 clips by id', () => `/v1/clips?ids=${ids(50, () => clips.clipId(below(domain)))}`, clip)
  const feed = add('a feed page', (i) => seeded(i))
  add('a feed page of one level', (i) => seeded(i, `&clipLevel=${levels[i % 6]}`), feed)
  add('a feed page of one channel of 997', (i) => seeded(i, `&channel=UC${i % 997}`), feed)
  add('a feed page that no clip is short enough for', (i) => seeded(i, '&maxDurationS=1'), feed)
  const said = (count: number) => encodeURIComponent(Array.from({ length: count }, anyWord).join(' '))
  for (const count of [1, 2]) add(`sentences, ${count} of all words`, () => `/v1/sentences?q=${said(count)}`)
  add('sentences, a phrase that is spoken', () => `/v1/sentences?q=${encodeURIComponent(phrase())}`)
  return cases

  /** Two or three words of a transcript. */
  function phrase(): string {
    const { path } = clips.transcriptFile(below(domain))
    const { cues } = JSON.parse(readFileSync(join(tree, path), 'utf8')) as { cues: { text: string }[] }
    const spoken = cues[below(cues.length)]!.text.split(' ')
    const from = below(spoken.length - 2)
    return spoken.slice(from, from + 2 + below(2)).join(' ')
  }
}

/** Resident memory of a process, in megabytes (Linux: proc(5), status). */
function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
}
