/**
 * Run by the benches in a process of its own: writes a tree of so many clips and as many words with the writers of the tables, without a build (arguments:
 * how many, the tree). It is like one of `makeCorpus`: six words a clip by Zipf's law, 997 channels. Records and transcripts are there for
 * the first 2,000 clips only.
 */
import { join } from 'node:path'
import { feedClipSchema, type FeedClip } from '#contract/clip.ts'
import { levels } from '#contract/levels.ts'
import type { Coverage } from '#contract/corpus.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { writeMaking } from '#nightly/aside.ts'
import { PostingsTableWriter } from '#release/postings-table.ts'
import { nameDigestOfLines, sha256, shortDigest } from '#kit/digest.ts'
import { searchFold } from '#kit/search-fold.ts'
import { ClipTableWriter } from '#release/clip-table.ts'
import { newManifest } from '#release/manifest.ts'
import {
  clipPath,
  corpusPath,
  currentPath,
  releasePath,
  transcriptPath,
  wordClipsPath,
} from '#release/paths.ts'
import { writeSearchTable } from '#release/search-table.ts'
import { formatWordList } from '#release/word-list.ts'
import { byRow, itemsPerPage, writeWordTable, WordTable, type ClipList } from '#release/word-table.ts'
import { youtubeUrls } from '#rendering/clip.ts'
import { makeWords } from './make-corpus.ts'
import { seededRandom } from './random.ts'

const [, , countText, tree] = process.argv as [string, string, string, string]
const count = Number(countText)
const wordsPerClip = 6
const withFiles = 2_000
const random = seededRandom(count)
const words = makeWords(count)
const wordLevels = Uint8Array.from({ length: count }, () => Math.floor(random() * 6))
const clipLevels = Uint8Array.from({ length: count }, () => Math.floor(random() * 6))
/** By clip, the numbers of its words, each once. */
const said = Array.from({ length: count }, () => [
  ...new Set(Array.from({ length: wordsPerClip }, () => Math.floor(count ** random()) - 1)),
])
const clipCounts = new Uint32Array(count)
for (const list of said) for (const word of list) clipCounts[word]!++
/** The numbers of the words in the order of rows. */
const order = Array.from(words.keys()).sort((a, b) =>
  byRow(
    { language: 'en', clipCount: clipCounts[a]!, wordId: a },
    { language: 'en', clipCount: clipCounts[b]!, wordId: b },
  ),
)
const rowOf = new Uint32Array(count)
for (const [row, word] of order.entries()) rowOf[word] = row

function clipAt(i: number): FeedClip {
  const videoId = `v${i.toString(36).padStart(10, '0')}`
  const title = said[i]!.map((word) => words[word]).join(' ')
  return feedClipSchema.parse({
    clipId: clipIdAt(i),
    videoId,
    title: `A short clip about ${title.slice(0, 24)}`,
    language: 'en',
    level: levels[clipLevels[i]!],
    durationS: 6 + (i % 170),
    channel: { id: `UC${i % 997}`, name: `Channel ${i % 997}` },
    embedUrl: youtubeUrls.embedUrl.replace('{videoId}', videoId),
    watchUrl: youtubeUrls.watchUrl.replace('{videoId}', videoId),
  })
}

function clipIdAt(i: number): string {
  const hex = sha256(`clip ${i}`).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function writeClips(): Uint8Array[] {
  const writer = new ClipTableWriter()
  for (let i = 0; i < count; i++) {
    const clip = clipAt(i)
    const json = JSON.stringify(clip)
    const record = JSON.stringify({
      ...clip,
      wordCount: said[i]!.length,
      indexedAt: '2026-01-01T00:00:00.000Z',
    })
    const transcript = JSON.stringify(transcriptOf(clip, i))
    if (i < withFiles) {
      writeMaking(join(tree, clipPath(clip.clipId, 1)), Buffer.from(record))
      writeMaking(join(tree, transcriptPath(clip.clipId, 1)), Buffer.from(transcript))
    }
    const digests = { recordDigest: shortDigest(record), transcriptDigest: shortDigest(transcript) }
    const { clipId, videoId, language, level } = clip
    writer.add({ clipId, videoId, language, level, json, ordinal: i, revision: 1, ...digests })
  }
  return writer.finish({ en: count }, (added, band) => {
    const at = said[added]!.findIndex((word) => wordLevels[word] === band + 1)
    return at < 0 ? null : { wordRow: rowOf[said[added]![at]!]!, tStartMs: at * 750 + 250 }
  })
}

function transcriptOf({ clipId, videoId, language, durationS }: FeedClip, i: number) {
  const texts = said[i]!.map((word) => words[word]!)
  const timed = texts.map((text, at) => ({
    text,
    tStart: at * 0.75,
    tEnd: at * 0.75 + 0.5,
    wordIds: [said[i]![at]! + 1],
  }))
  const cue = { tStart: 0, tEnd: durationS, text: texts.join(' '), words: timed }
  return { clipId, videoId, language, durationS, wordTiming: 'measured', cues: Array(40).fill(cue) }
}

/** Writes the lists word by word, and gives them by the number of the word. */
function writeLists(): (ClipList | null)[] {
  const clipsOf = words.map((): number[] => [])
  for (const [i, list] of said.entries()) for (const word of list) clipsOf[word]!.push(i)
  return clipsOf.map((clips, word) => (clips.length === 0 ? null : writeList(word, clips)))
}

function writeList(word: number, clips: number[]): ClipList {
  clips.sort((a, b) => clipLevels[a]! - clipLevels[b]! || a - b)
  const items = clips.map((i) => {
    const occurrence = {
      tStart: 0.25,
      tEnd: 0.75,
      form: words[word]!,
      text: said[i]!.map((other) => words[other]).join(' '),
    }
    return JSON.stringify({
      clip: clipIdAt(i),
      knownShare: 0.83,
      occurrenceCount: 1,
      occurrences: [occurrence],
    })
  })
  const digest = nameDigestOfLines(items)
  const pages = Math.ceil(items.length / itemsPerPage)
  const checkpoints: number[] = []
  for (let page = 1; page <= pages; page++) {
    const head = { wordId: word + 1, language: 'en', page, pages }
    const made = formatWordList(head, items.slice((page - 1) * itemsPerPage, page * itemsPerPage))
    writeMaking(join(tree, wordClipsPath('en', word + 1, digest, page)), Buffer.from(made.text))
    checkpoints.push(...made.checkpoints)
  }
  const clipsByLevel = levels.map((_, rank) =>
    clips.reduce((sum, i) => sum + Number(clipLevels[i] === rank), 0),
  )
  return { digest, clipsByLevel, checkpoints }
}

function writeWords(lists: readonly (ClipList | null)[]): Uint8Array[] {
  return writeWordTable(count, (row) => {
    const word = order[row]!
    return {
      wordId: word + 1,
      language: 'en',
      word: words[word]!,
      level: levels[wordLevels[word]!]!,
      meanings: { en: `meaning ${word}`, ...(word % 3 === 0 ? { es: `significado ${word}` } : {}) },
      forms: [`${words[word]}z`],
      list: lists[word]!,
    }
  })
}

function coverage(): Coverage {
  const sizes = { clipCount: count, totalDurationS: 0, channelCount: 997 }
  return { ...sizes, glosses: ['en'], languages: [] } as unknown as Coverage
}

const wordPieces = writeWords(writeLists())
const wordTable = new WordTable(new Uint8Array(Buffer.concat(wordPieces)), 'words.bin')
const tables = {
  'clips.bin': writeClips(),
  'words.bin': wordPieces,
  'postings.bin': new PostingsTableWriter().finish({ en: 0 }),
  'search.bin': writeSearchTable({
    folded: order.map((word) => searchFold(words[word]!, 'en')),
    levels: wordTable.levels,
    ranges: [wordTable.rangeOf('en')],
  }),
}
const release = '000001-00000000'
const corpus = corpusPath('0000000000000000')
await atomicWrite(join(tree, corpus), JSON.stringify(coverage()), { sync: false })
const digests = Object.fromEntries(
  Object.entries(tables).map(([name, pieces]) => [name, sha256(Buffer.concat(pieces)).toString('hex')]),
) as Record<keyof typeof tables, string>
for (const [name, pieces] of Object.entries(tables))
  await atomicWrite(join(tree, releasePath(release, name as keyof typeof tables)), pieces, { sync: false })
const manifest = newManifest({
  release,
  tree: 'AAAAAAAAAAAAAAAAAAAAAA',
  builtAtMs: 0,
  content: 'made',
  ordinals: { en: count },
  corpus,
  tables: digests,
  lexicons: {},
})
await atomicWrite(join(tree, releasePath(release, 'manifest.json')), JSON.stringify(manifest), {
  sync: false,
})
await atomicWrite(join(tree, currentPath), JSON.stringify({ release }), { sync: false })
