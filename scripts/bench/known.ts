/**
 * `npm run bench:known`: what a request costs that says what a learner knows (contract 1.6), in
 * process: a page beside one without, pages of which few clips fit, and the worst of many hostile
 * sets. Clips of a minute are cut out of the English subtitles below `CLIP_LOOKUP_TEST_DATA`.
 * Arguments: how many clips, how many hostile sets. BENCH_FOLDER keeps the tree from run to run.
 */
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { deflateRawSync } from 'node:zlib'
import { packedIdsMax } from '#contract/known.ts'
import { packVarints } from '#kit/varint.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import type { Context } from '#proxy/http/handler.ts'
import { answer, openContext } from './ask.ts'
import { writeMinuteCorpus } from './minute-corpus.ts'
import { print, runBench } from './run.ts'
import { makeTree } from './service.ts'
import { percentile } from './statistics.ts'
import { watchTurns } from './turns.ts'

const clipCount = Number(process.argv[2] ?? 100_000)
const hostileCount = Number(process.argv[3] ?? 10_000)
const wordCount = 20_000
const data = process.env.CLIP_LOOKUP_TEST_DATA
if (!data) throw new Error('set CLIP_LOOKUP_TEST_DATA to the folder of the test data')
/** How often each request is made: the fastest counts, for the machine may have other work. */
const rounds = 5
/** So many hostile sets come before those that count: the code is compiled by then. */
const warmUp = 200
const random = seededRandom(7)
const below = (count: number) => Math.floor(random() * count)

await runBench(async (folder) => {
  const { path, built } = makeTree(join(folder, 'minutes'), clipCount, (corpus, clips) =>
    writeMinuteCorpus(corpus, data, clips, wordCount),
  )
  if (built) print(`built in ${built.wallS.toFixed(0)} s, ${built.cpuS.toFixed(0)} s of CPU`)
  const context = await openContext(path)
  const { words } = context.release
  const mostSaid = (count: number) => Array.from({ length: count }, (_, row) => words.wordId(row))
  const sets = {
    'no set': '',
    'a level': '&known=A2',
    '1,000 ids': `&known=${mostSaid(1000).join()}`,
    '5,000 ids packed': `&known=${pack(mostSaid(5000))}`,
  }
  for (const [name, known] of Object.entries(sets))
    await report(`a page, ${name}`, 300, (i) => `/v1/feed?seed=${i}${known}`, context)
  const most = words.wordId(0)
  for (const filter of ['known=A1&minKnownShare=0.95', 'known=B1&maxUnknown=0', 'known=C2,-1&maxUnknown=0']) {
    await report(`the feed, ${filter}`, 50, (i) => `/v1/feed?seed=${i}&${filter}`, context)
    await report(`a word, ${filter}`, 50, () => `/v1/words/${most}/clips?${filter}`, context)
  }
  await reportHostile(hostileCount, [`/v1/feed?`, `/v1/words/${most}/clips?`], context)
})

/** What requests take, each of them alone. */
async function report(
  name: string,
  count: number,
  urlAt: (i: number) => string,
  context: Context,
): Promise<void> {
  const times = Array<number>(count).fill(Infinity)
  const turns = watchTurns()
  for (let round = 0; round < rounds; round++)
    for (let i = 0; i < count; i++) times[i] = Math.min(times[i]!, await timeOf(urlAt(i), context))
  const [middle, worst] = [percentile(times, 0.5), Math.max(...times)]
  const shown = [middle, worst].map((ms) => `${(ms * 1000).toFixed(0)} µs`)
  print(`${name}: median ${shown[0]}, worst ${shown[1]}; longest turn ${turns.stop().toFixed(1)} ms`)
}

/** The worst of seeded sets and filters, made to cost much. */
async function reportHostile(count: number, paths: readonly string[], context: Context): Promise<void> {
  let [worst, worstUrl] = [0, '']
  for (let i = -warmUp; i < count; i++) {
    const filter = ['minKnownShare=1', 'maxUnknown=0', 'minKnownShare=0.99&maxUnknown=100'][below(3)]
    const url = `${paths[below(paths.length)]}known=${hostileSet().slice(0, 6000)}&${filter}`
    let least = Infinity
    if (i < 0) {
      await answer(url, context)
      continue
    }
    // Only what looks slow is asked again.
    for (let round = 0; round < rounds && least > worst; round++)
      least = Math.min(least, await timeOf(url, context))
    if (least > worst) [worst, worstUrl] = [least, url]
  }
  print(`the worst of ${count} hostile sets: ${worst.toFixed(1)} ms, ${worstUrl.slice(0, 100)}…`)
}

function hostileSet(): string {
  const ids = () => Array.from({ length: below(2000) }, () => `${['', '-'][below(2)]}${below(2 * wordCount)}`)
  const ones = (length: number) => packed(new Uint8Array(length).fill([0, 1, 1, 1, 128, 255][below(6)]!))
  const kinds = [
    () => ids().join(),
    () => `${['A1', 'B1', 'C1', 'C2'][below(4)]},${ids().join()}`,
    () => pack(Array.from({ length: below(3000) }, () => below(2 * wordCount))),
    () => ones([packedIdsMax, packedIdsMax + 1, 5_000_000][below(3)]!),
    () => `${ones(packedIdsMax)},${ids().join()}`,
    () => `p.${Buffer.from(Array.from({ length: below(4000) }, () => below(256))).toString('base64url')}`,
  ]
  return kinds[below(kinds.length)]!()
}

function pack(wordIds: readonly number[]): string {
  const ascending = [...new Set(wordIds)].sort((a, b) => a - b)
  return packed(packVarints(ascending.map((id, i) => id - (ascending[i - 1] ?? 0))))
}

function packed(bytes: Uint8Array): string {
  return `p.${deflateRawSync(bytes).toString('base64url')}`
}

/** What a request takes, in a turn of its own. */
async function timeOf(url: string, context: Context): Promise<number> {
  await setImmediate()
  const startMs = performance.now()
  await answer(url, context)
  return performance.now() - startMs
}
