/**
 * `npm run bench:batches`: what batches, filters and sentence searches cost next to the plain
 * requests, through HTTP, metering included (see `compareCpu`). No answer comes from a cache: each
 * request has other parameters. Argument: a tree of `make-night-corpus.ts`; without it one of
 * 30,000 clips is made.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { openRelease, readCurrent, type Release } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { compareCpu, keyedRow, type Row } from './compare-cpu.ts'
import { writeCatalogue, writeClips } from './make-night-corpus.ts'
import { print, runBench, runScript } from './run.ts'
import { startService, type BenchService } from './service.ts'

const madeClips = 30_000
const random = seededRandom(20)
const below = (count: number) => Math.floor(random() * count)

await runBench(async (folder) => {
  const path = process.argv[2] ?? makeTree(folder)
  const tree = folderTree(path)
  const service = await startService(folder, path)
  const rows = rowsOf(service, await openRelease(tree, await readCurrent(tree)), path)
  await compareCpu(rows, 500)
  print(`resident: ${residentMb(service.pid).toFixed(0)} MB`)
})

function makeTree(folder: string): string {
  const [corpus, tree] = [join(folder, 'corpus-batches'), join(folder, 'tree-batches')]
  writeCatalogue(corpus)
  writeClips(corpus, 0, madeClips)
  runScript('build-tree.ts', corpus, tree)
  return tree
}

function rowsOf(server: BenchService, { clips, words }: Release, tree: string): Row[] {
  const { clipsEnd } = words.rangeOf('en')
  const { domain } = clips.rangeOf('en')
  const ids = (count: number, anyId: () => string | number) => Array.from({ length: count }, anyId).join()
  const seeded = (i: number, filter = '') => `/v1/feed?seed=s${i}${filter}`
  const row = (name: string, pathAt: (i: number) => string, base?: Row) =>
    keyedRow(name, server, pathAt, base)
  const word = row('a word', () => `/v1/words/${words.wordId(below(clipsEnd))}`)
  const clip = row('a clip', () => `/v1/clips/${clips.clipId(below(domain))}`)
  const feed = row('a feed page', (i) => seeded(i))
  const said = (count: number) =>
    encodeURIComponent(Array.from({ length: count }, () => words.word(below(clipsEnd))).join(' '))
  return [
    word,
    row('100 words by id', () => `/v1/words?ids=${ids(100, () => words.wordId(below(clipsEnd)))}`, word),
    clip,
    row('50 clips by id', () => `/v1/clips?ids=${ids(50, () => clips.clipId(below(domain)))}`, clip),
    feed,
    row('a feed page of one level', (i) => seeded(i, `&clipLevel=${levels[i % 6]}`), feed),
    row('a feed page of one channel of 997', (i) => seeded(i, `&channel=UC${i % 997}`), feed),
    row('a feed page that no clip is short enough for', (i) => seeded(i, '&maxDurationS=1'), feed),
    row('sentences, 1 of all words', () => `/v1/sentences?q=${said(1)}`),
    row('sentences, 2 of all words', () => `/v1/sentences?q=${said(2)}`),
    row('sentences, a phrase that is spoken', () => `/v1/sentences?q=${encodeURIComponent(phrase())}`),
  ]

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
