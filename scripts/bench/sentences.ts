/**
 * `npm run bench:sentences`: what a sentence search costs, next to SQLite FTS5 with a phrase query.
 * Both give the first 20 clips in the order of the contract (level, count descending, clip id), the
 * count of each and the exact total, and every page must be the same. Clips of 150 tokens are cut
 * out of the English subtitles below `CLIP_LOOKUP_TEST_DATA`; phrases of 1 to 5 words are cut out
 * of them. Ours reads lists from a folder; neither reads parameters or makes JSON. Arguments: how
 * many clips, how many phrases.
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { SegmentCache } from '#proxy/sentences/segment-cache.ts'
import { Fts5 } from './sentence-search/fts5.ts'
import { askOwn, buildOwn, openOwn, type OwnIndex, type Page } from './sentence-search/own.ts'
import { functionWords, makeClips, makePhrases, readForms, readSentences } from './sentence-search/said.ts'
import { print, runBench } from './run.ts'
import { median, percentile } from './statistics.ts'
import { watchTurns } from './turns.ts'

const clipCount = Number(process.argv[2] ?? 100_000)
const phraseCount = Number(process.argv[3] ?? 1_000)
const data = process.env.CLIP_LOOKUP_TEST_DATA
if (!data) throw new Error('set CLIP_LOOKUP_TEST_DATA to the folder of the test data')
/** How often each phrase is asked for: the fastest counts, for the machine may have other work. */
const rounds = 3

await runBench(async (folder) => {
  const sentences = readSentences(join(data, 'transcripts'))
  const clips = makeClips(clipCount, sentences)
  const ownS = timed(() => buildOwn(clips, folder))
  const fts5 = new Fts5(folder)
  const fts5S = timed(() => fts5.add(clips))
  const phrases = makePhrases(phraseCount, sentences)
  // Searches must not pay for collecting what the index was built from.
  clips.length = 0
  sentences.length = 0
  const own = openOwn(folder, readForms(data))
  print(`${clipCount} clips, ${own.tokens} tokens: ${(own.sizeBytes / own.tokens).toFixed(2)} bytes a token`)
  print(`written in ${ownS.toFixed(1)} s, FTS5 in ${fts5S.toFixed(1)} s`)
  await compare('phrases of 1 to 5 words', phrases, own, fts5)
  await compare('function words alone', functionWords, own, fts5)
})

async function compare(kind: string, phrases: readonly string[][], own: OwnIndex, fts5: Fts5): Promise<void> {
  print(`${kind} (${phrases.length})`)
  const ours = await askOurs('exact', phrases, own)
  const theirs = await askAll('FTS5', phrases, () => (phrase) => fts5.ask(phrase))
  const different = ours.pages.filter((page, i) => !isDeepStrictEqual(page, theirs.pages[i])).length
  const atMedian = (median(theirs.ms) / median(ours.ms)).toFixed(1)
  const inAll = (sum(theirs.ms) / sum(ours.ms)).toFixed(1)
  print(`  exact next to FTS5: × ${atMedian} at the median, × ${inAll} in all; ${different} pages differ`)
  await askOurs('forms', phrases, own)
}

/** No phrase finds a list in memory when it is first asked for. */
function askOurs(match: 'exact' | 'forms', phrases: readonly string[][], own: OwnIndex) {
  return askAll(match, phrases, () => {
    const cache = new SegmentCache()
    return (phrase) => askOwn(phrase, match, own, cache)
  })
}

/** Asks for each phrase several times in a row. Times are CPU time; turns are wall time. */
async function askAll(
  name: string,
  phrases: readonly string[][],
  open: () => (phrase: string[]) => Page | Promise<Page>,
) {
  const pages: Page[] = []
  const first: number[] = []
  const ms: number[] = []
  const turns: number[] = []
  for (const phrase of phrases) {
    const ask = open()
    const times: number[] = []
    const longest: number[] = []
    for (let round = 0; round < rounds; round++) {
      const turn = watchTurns()
      const before = cpuMs()
      const page = await ask(phrase)
      times.push(cpuMs() - before)
      longest.push(turn.stop())
      if (round === 0) pages.push(page)
    }
    first.push(times[0]!)
    ms.push(Math.min(...times))
    turns.push(Math.min(...longest))
  }
  print(`  ${name.padEnd(8)}${show(ms)}; the first time ${show(first)}; longest turn ${show(turns)}`)
  return { pages, ms }
}

/** CPU time of this process so far, over all its threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Seconds. */
function timed(run: () => void): number {
  const before = performance.now()
  run()
  return (performance.now() - before) / 1000
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function show(ms: readonly number[]): string {
  const at = (share: number) => percentile(ms, share).toFixed(2)
  return `median ${at(0.5)}, 99 % ${at(0.99)}, worst ${at(1)} ms`
}
