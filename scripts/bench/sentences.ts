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
import { askOwn, buildOwn, type OwnIndex, type Page } from './sentence-search/own.ts'
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
  const own = timed(() => buildOwn(clips, folder, readForms(data)))
  const fts5 = timed(() => new Fts5(clips, folder))
  const { sizeBytes, tokens } = own.value
  print(`${clipCount} clips, ${tokens} tokens: ${(sizeBytes / tokens).toFixed(2)} bytes a token`)
  print(`written in ${(own.ms / 1000).toFixed(1)} s, FTS5 in ${(fts5.ms / 1000).toFixed(1)} s`)
  // Searches must not pay for collecting what the index was built from.
  clips.length = 0
  await compare('phrases of 1 to 5 words', makePhrases(phraseCount, sentences), own.value, fts5.value)
  await compare('function words alone', functionWords, own.value, fts5.value)
  print(`resident: ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
})

async function compare(kind: string, phrases: readonly string[][], own: OwnIndex, fts5: Fts5): Promise<void> {
  print(`${kind} (${phrases.length})`)
  const cache = new SegmentCache()
  const ours = await askAll('exact', phrases, (phrase) => askOwn(phrase, 'exact', own, cache))
  const theirs = await askAll('FTS5', phrases, (phrase) => fts5.ask(phrase))
  const different = ours.pages.filter((page, i) => !isDeepStrictEqual(page, theirs.pages[i])).length
  const atMedian = (median(theirs.ms) / median(ours.ms)).toFixed(1)
  const inAll = (sum(theirs.ms) / sum(ours.ms)).toFixed(1)
  print(`  exact next to FTS5: × ${atMedian} at the median, × ${inAll} in all; ${different} pages differ`)
  await askAll('forms', phrases, (phrase) => askOwn(phrase, 'forms', own, cache))
}

/** Asks for each phrase several times in a row. */
async function askAll(
  name: string,
  phrases: readonly string[][],
  ask: (phrase: string[]) => Page | Promise<Page>,
) {
  const pages: Page[] = []
  const first: number[] = []
  const ms: number[] = []
  const turns: number[] = []
  for (const phrase of phrases) {
    const times: number[] = []
    const longest: number[] = []
    for (let round = 0; round < rounds; round++) {
      const turn = watchTurns()
      const before = performance.now()
      const page = await ask(phrase)
      times.push(performance.now() - before)
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

function timed<T>(run: () => T): { value: T; ms: number } {
  const before = performance.now()
  return { value: run(), ms: performance.now() - before }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function show(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => percentile(sorted, share).toFixed(2)
  return `median ${at(0.5)}, 99 % ${at(0.99)}, worst ${at(1)} ms`
}
