/**
 * `npm run bench:sentences`: what a sentence search costs: the first 20 clips in the order of the
 * contract (level, count descending, clip id), the count of each and the exact total. Clips of 150
 * tokens are cut out of the English subtitles below `CLIP_LOOKUP_TEST_DATA`; phrases of 1 to 5
 * words are cut out of them. Lists are read from a folder; no parameters are read and no JSON made.
 * Arguments: how many clips, how many phrases.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { shortDigest } from '#kit/digest.ts'
import { ListCache } from '#proxy/sentences/list-cache.ts'
import { toQuery } from '#proxy/sentences/query.ts'
import { rankPage } from '#proxy/sentences/rank.ts'
import { searchSegments } from '#proxy/sentences/search.ts'
import type { DataFile } from '#release/paths.ts'
import type { Release } from '#release/release.ts'
import { segmentOrdinals, segmentPaths } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'
import { folderTree } from '#release/tree.ts'
import {
  functionWords,
  makeClips,
  makePhrases,
  readSentences,
  readWords,
  type SaidClip,
} from './sentence-corpus.ts'
import { percentile, print, runBench } from './run.ts'

const clipCount = Number(process.argv[2] ?? 100_000)
const phraseCount = Number(process.argv[3] ?? 1_000)
const data = process.env.CLIP_LOOKUP_TEST_DATA
if (!data) throw new Error('set CLIP_LOOKUP_TEST_DATA to the folder of the test data')
/** How often each phrase is asked for: the fastest counts, for the machine may have other work. */
const rounds = 3

await runBench(async (folder) => {
  const sentences = readSentences(join(data, 'transcripts'))
  const clips = makeClips(clipCount, sentences)
  const words = readWords(data)
  const startMs = performance.now()
  const release = writeIndex(clips, words, folder)
  print(`written in ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  const phrases = makePhrases(phraseCount, sentences)
  // Searches must not pay for collecting what the index was built from.
  clips.length = 0
  sentences.length = 0
  for (const match of ['exact', 'forms'] as const) {
    print(match)
    await ask('phrases of 1 to 5 words', phrases, match, release)
    await ask('function words alone', functionWords, match, release)
  }
})

/** Writes a sentence index, and opens it as a release with nothing else. */
function writeIndex(
  clips: readonly SaidClip[],
  words: ReadonlyMap<string, number[]>,
  folder: string,
): Release {
  const segments: Segment[] = []
  let [sizeBytes, tokens] = [0, 0]
  for (let first = 0; first < clips.length; first += segmentOrdinals) {
    const writer = new SegmentWriter('en', first)
    for (const [i, clip] of clips.slice(first, first + segmentOrdinals).entries())
      addClip(writer, first + i, clip, words)
    const { entry, files } = writer.finish()
    for (const [i, path] of segmentPaths(entry).entries()) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), files[i]!)
      sizeBytes += files[i]!.length
    }
    tokens += entry.tokens
    segments.push(new Segment(new Uint8Array(files[0]!), entry))
  }
  print(`${clips.length} clips, ${tokens} tokens: ${(sizeBytes / tokens).toFixed(2)} bytes a token`)
  const ids = clips.map(({ clipId }) => clipId)
  const tree = folderTree(folder)
  return {
    clips: { rangeOf: () => ({ base: 0 }), clipId: (row: number) => ids[row] },
    words: { wordId: (row: number) => row },
    spellings: { named: (token: string) => words.get(token) ?? [] },
    sentences: new Map([['en', segments]]),
    read: ({ path, digest }: DataFile) => tree.readChecked(path, (bytes) => shortDigest(bytes) === digest),
  } as unknown as Release
}

function addClip(
  writer: SegmentWriter,
  ordinal: number,
  { clipId, level, tokens, starts }: SaidClip,
  wordsOf: ReadonlyMap<string, number[]>,
): void {
  const lines: string[] = []
  const words: number[] = []
  const begins = new Set(starts)
  for (const [i, token] of tokens.entries()) {
    if (begins.has(i)) lines.push('')
    for (const word of wordsOf.get(token) ?? []) words.push(lines.length, word)
    lines.push(token)
  }
  writer.add({ ordinal, clipId, level }, { lines: [...lines, ''].join('\n'), words, forms: [] })
}

/**
 * Asks for each phrase several times in a row. No phrase finds a list in memory when it is first
 * asked for. All times are CPU time.
 */
async function ask(
  kind: string,
  phrases: readonly string[][],
  match: 'forms' | 'exact',
  release: Release,
): Promise<void> {
  const [first, ms, turns]: [number[], number[], number[]] = [[], [], []]
  for (const phrase of phrases) {
    const cache = new ListCache()
    const times: number[] = []
    const longest: number[] = []
    for (let round = 0; round < rounds; round++) {
      const turn = watchTurns()
      const before = process.cpuUsage()
      const found = await searchSegments(toQuery(phrase, 'en', match, release), release, cache)
      rankPage(found, release, { levelMask: 63, start: 0, limit: 20 })
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
      longest.push(turn.stop())
    }
    first.push(times[0]!)
    ms.push(Math.min(...times))
    turns.push(Math.min(...longest))
  }
  print(
    `  ${kind} (${phrases.length}): ${show(ms)}; the first time ${show(first)}; longest turn ${show(turns)}`,
  )
}

function show(ms: readonly number[]): string {
  const at = (share: number) => percentile(ms, share).toFixed(2)
  return `median ${at(0.5)}, 99% ${at(0.99)}, worst ${at(1)} ms`
}

/**
 * Measures the longest turn of the event loop until it is stopped, in milliseconds: of each turn,
 * the CPU time of this thread, because the machine may have other work, or the time that passed if
 * that is less, because some systems count CPU time in steps of 4 ms.
 */
function watchTurns(): { stop(): number } {
  let longest = 0
  let before = times()
  const look = () => {
    const now = times()
    longest = Math.max(longest, Math.min(now.cpuMs - before.cpuMs, now.ms - before.ms))
    before = now
  }
  const watch = () => {
    look()
    next = setImmediate(watch)
  }
  let next = setImmediate(watch)
  return {
    stop() {
      clearImmediate(next)
      look()
      return longest
    },
  }
}

function times(): { cpuMs: number; ms: number } {
  const { user, system } = process.threadCpuUsage()
  return { cpuMs: (user + system) / 1000, ms: performance.now() }
}
