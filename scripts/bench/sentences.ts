/**
 * `npm run bench:sentences`: what a sentence search costs: the first 20 clips in the order of the
 * contract (level, count descending, clip id), the count of each and the exact total. Clips of 150
 * tokens are cut out of the English subtitles below `CLIP_LOOKUP_TEST_DATA`; phrases of 1 to 5
 * words are cut out of them. Lists are read from a folder; no parameters are read and no JSON made.
 * Arguments: how many clips, how many phrases.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { v5 as uuidV5 } from 'uuid'
import { shortDigest } from '#kit/digest.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { searchFold } from '#language/folds.ts'
import { segment } from '#language/segment.ts'
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
import { percentile, runBench } from './run.ts'

const clipCount = Number(process.argv[2] ?? 100_000)
const phraseCount = Number(process.argv[3] ?? 1_000)
const data = process.env.CLIP_LOOKUP_TEST_DATA
if (!data) throw new Error('set CLIP_LOOKUP_TEST_DATA to the folder of the test data')
/** How often each phrase is asked for: the fastest counts, for the machine may have other work. */
const rounds = 3

const tokensPerClip = 150
const random = seededRandom(11)
const below = (count: number) => Math.floor(random() * count)

/** The words that are said most, alone and in phrases: the most work that a query can be. */
const functionWords = 'the, of the, and the, in the, it is, that is the, to be, a, this is a'
  .split(', ')
  .map((text) => text.split(' '))

await runBench(async (folder) => {
  const sentences = readSentences(join(data, 'transcripts'))
  const startMs = performance.now()
  const release = writeIndex(sentences, readWords(data), folder)
  console.log(`written in ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  const phrases = makePhrases(phraseCount, sentences)
  // Searches must not pay for collecting what the index was built from.
  sentences.length = 0
  for (const match of ['exact', 'forms'] as const) {
    console.log(match)
    await ask('phrases of 1 to 5 words', phrases, match, release)
    await ask('function words alone', functionWords, match, release)
  }
})

/** Writes a sentence index of clips, and opens it as a release with nothing else. */
function writeIndex(
  sentences: readonly string[][],
  wordsOf: ReadonlyMap<string, number[]>,
  folder: string,
): Release {
  const [ids, levels]: [string[], number[]] = [[], []]
  const segments: Segment[] = []
  let [sizeBytes, tokens] = [0, 0]
  for (let first = 0; first < clipCount; first += segmentOrdinals) {
    const writer = new SegmentWriter('en', first)
    for (let ordinal = first; ordinal < Math.min(first + segmentOrdinals, clipCount); ordinal++) {
      const { lines, level, ...clip } = makeClip(ordinal, sentences)
      const words = lines.flatMap((token, i) => (wordsOf.get(token) ?? []).flatMap((word) => [i, word]))
      writer.add(clip, { tokens: lines, words, forms: [] })
      ids.push(clip.clipId)
      levels.push(level)
    }
    const { entry, files } = writer.finish()
    for (const [i, path] of segmentPaths(entry).entries()) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), files[i]!)
      sizeBytes += files[i]!.length
    }
    tokens += entry.tokens
    segments.push(new Segment(new Uint8Array(files[0]!), entry))
  }
  console.log(`${clipCount} clips, ${tokens} tokens: ${(sizeBytes / tokens).toFixed(2)} bytes a token`)
  const tree = folderTree(folder)
  return {
    clips: {
      rangeOf: () => ({ base: 0 }),
      clipId: (row: number) => ids[row],
      level: (row: number) => levels[row],
    },
    words: { wordId: (row: number) => row },
    spellings: { named: (token: string) => wordsOf.get(token) ?? [] },
    sentences: new Map([['en', segments]]),
    read: ({ path, digest }: DataFile) => tree.readChecked(path, (bytes) => shortDigest(bytes) === digest),
  } as unknown as Release
}

/**
 * Asks for each phrase several times in a row. No phrase finds a list in memory when it is first
 * asked for. Times are CPU time, but turns of the event loop are timed by the clock.
 */
async function ask(
  kind: string,
  phrases: readonly string[][],
  match: 'forms' | 'exact',
  release: Release,
): Promise<void> {
  const [ms, turns]: [number[], number[]] = [[], []]
  for (const phrase of phrases) {
    const cache = new ListCache()
    const times: number[] = []
    const longest: number[] = []
    for (let round = 0; round < rounds; round++) {
      const turn = monitorEventLoopDelay({ samplePerIteration: true })
      turn.enable()
      const before = process.cpuUsage()
      const found = await searchSegments(toQuery(phrase, 'en', match, release), release, cache)
      rankPage(found, release, { levelMask: 63, start: 0, limit: 20 })
      const { user, system } = process.cpuUsage(before)
      times.push((user + system) / 1000)
      await setImmediate()
      turn.disable()
      longest.push(turn.max / 1e6)
    }
    ms.push(Math.min(...times))
    turns.push(Math.min(...longest))
  }
  console.log(`  ${kind} (${phrases.length}): ${show(ms)}; longest turn ${show(turns)}`)
}

function show(ms: readonly number[]): string {
  const at = (share: number) => percentile(ms, share).toFixed(2)
  return `median ${at(0.5)}, 99% ${at(0.99)}, worst ${at(1)} ms`
}

/** The sentences of all English subtitle files below a folder, each as folded tokens. */
function readSentences(root: string): string[][] {
  const found: string[][] = []
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/english.*\.srt$|\/en\/.*\.srt$/i.test(name)) continue
    const text = readFileSync(join(root, name), 'utf8').replace(/^\d+$|^.*-->.*$/gm, '')
    for (const sentence of text.split(/[.!?…]/)) {
      const tokens = segment(sentence, 'en').map(({ text }) => searchFold(text, 'en'))
      if (tokens.length > 0) found.push(tokens)
    }
  }
  return found
}

/** A clip of 150 tokens or a few more: sentences in their order, '' between them. */
function makeClip(ordinal: number, sentences: readonly string[][]) {
  const lines: string[] = []
  for (let at = below(sentences.length); lines.length < tokensPerClip; at = (at + 1) % sentences.length)
    lines.push(...sentences[at]!, '')
  return { ordinal, clipId: uuidV5(`https://example.com/${ordinal}`, uuidV5.URL), level: below(6), lines }
}

/** Phrases of 1 to 5 tokens, cut out of sentences. */
function makePhrases(count: number, sentences: readonly string[][]): string[][] {
  return Array.from({ length: count }, () => {
    const sentence = sentences[below(sentences.length)]!
    const from = below(sentence.length)
    return sentence.slice(from, from + 1 + below(5))
  })
}

/**
 * By token the numbers of the words that it is a form of, by `lemmas/lemma.en.txt`. Words that
 * occur less than once in a million are left out.
 */
function readWords(root: string): Map<string, number[]> {
  const words = new Map<string, number[]>()
  const lines = readFileSync(join(root, 'lemmas', 'lemma.en.txt'), 'utf8').split('\n')
  for (const [number, line] of lines.entries()) {
    const [, lemma, frequency, forms] = /^([^;/]+)\/(\d+) -> (.+)$/.exec(line.trim()) ?? []
    if (lemma === undefined || Number(frequency) < 100) continue
    const spellings = [lemma, ...forms!.split(',')].map((text) => searchFold(text, 'en'))
    for (const spelling of new Set(spellings)) words.getOrInsertComputed(spelling, () => []).push(number)
  }
  return words
}
