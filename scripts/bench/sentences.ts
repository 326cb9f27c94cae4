/**
 * `npm run bench:sentences`: what a sentence search costs, next to SQLite FTS5 with a phrase query.
 * Both give the first 20 clips in the order of the contract (level, count descending, clip id), the
 * exact count of each and the exact total. Clips of 150 tokens are cut out of the English subtitles
 * below `CLIP_LOOKUP_TEST_DATA`; phrases of 1 to 5 words are cut out of them. Ours reads lists from
 * a folder; neither reads parameters or makes JSON. Arguments: how many clips, how many phrases.
 *
 * FTS5 gets each word as a code, because its tokeniser would split words such as "0:59" and "20%":
 * both then index the same tokens, and every total must agree. FTS5 cannot tell SQL how often a
 * phrase occurs, so a function counts it in the text.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { levels } from '#contract/levels.ts'
import { searchFold } from '#language/search-fold.ts'
import { segment } from '#language/segment.ts'
import { rankPage } from '#proxy/sentences/rank.ts'
import { searchSegments } from '#proxy/sentences/search.ts'
import { SegmentCache } from '#proxy/sentences/segment-cache.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import { sha256 } from '#kit/digest.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import type { Release } from '#release/release.ts'
import { segmentPaths, type SegmentEntry } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import { packSpeech } from '#release/sentences/speech.ts'
import { partsOf, SegmentWriter } from '#release/sentences/writer.ts'
import { folderTree } from '#release/tree.ts'
import { seededRandom } from '#kit/seeded-random.ts'

const clipCount = Number(process.argv[2] ?? 30_000)
const tokensPerClip = 150
const phraseCount = Number(process.argv[3] ?? 1_000)
const data = process.env.CLIP_LOOKUP_TEST_DATA
if (!data) throw new Error('set CLIP_LOOKUP_TEST_DATA to the folder of the test data')
const folder = join('/tmp', `bench-sentences-${process.pid}`)
const random = seededRandom(11)
const below = (count: number) => Math.floor(random() * count)

const codes = new Map<string, string>()
let statement: ReturnType<DatabaseSync['prepare']> | undefined
const sentences = readSentences(join(data, 'transcripts'))
const clips = Array.from({ length: clipCount }, makeClip)
const built = timed(buildOurs)
const { release, bytes, tokens } = built.value
const database = timed(buildFts5)
process.stdout.write(
  `${clipCount} clips, ${tokens} tokens: ${(bytes / tokens).toFixed(2)} bytes a token, written in ${seconds(built.ms)} (${(1e6 * (built.ms / tokens)).toFixed(0)} ns a token); FTS5 in ${seconds(database.ms)}\n`,
)
// What is asked for must not pay for collecting what was built from.
clips.length = 0
await compare('phrases of 1 to 5 words', phrases(phraseCount))
await compare('function words alone', functionWords())
process.stdout.write(`resident: ${Math.round(process.memoryUsage().rss / 1e6)} MB\n`)
rmSync(folder, { recursive: true, force: true })

/** The sentences of all English subtitle files, each as tokens. */
function readSentences(root: string): string[][] {
  const found: string[][] = []
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/english.*\.srt$|\/en\/.*\.srt$/i.test(name)) continue
    const text = readFileSync(join(root, name), 'utf8').replace(/^\d+$|^.*-->.*$/gm, '')
    for (const sentence of text.split(/[.!?…]/)) {
      const said = segment(sentence, 'en').map(({ text }) => searchFold(text, 'en'))
      if (said.length > 0) found.push(said)
    }
  }
  return found
}

/** Sentences that follow one another in the subtitles, from anywhere on. */
function makeClip(): { tokens: string[]; starts: number[]; level: number } {
  const said: string[] = []
  const starts: number[] = []
  for (let at = below(sentences.length); said.length < tokensPerClip; at = (at + 1) % sentences.length) {
    if (said.length > 0) starts.push(said.length)
    said.push(...sentences[at]!)
  }
  return { tokens: said, starts, level: below(6) }
}

function clipIdOf(ordinal: number): string {
  const digits = sha256(String(ordinal)).toString('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-5${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

function buildOurs(): { release: Release; bytes: number; tokens: number } {
  const writer = new SegmentWriter()
  const table = new ClipTableWriter()
  for (const [ordinal, { tokens: said, starts, level }] of clips.entries()) {
    const cues = Array.from({ length: Math.ceil(said.length / 10) }, () => ({
      sizeBytes: 700,
      tokenCount: 10,
    }))
    writer.add(
      ordinal,
      1,
      packSpeech({ isInTimeOrder: true, firstCueAt: 150, cues, sentenceStarts: starts }, said),
    )
    const clip = {
      clipId: clipIdOf(ordinal),
      videoId: `v${ordinal}`,
      title: 't',
      language: 'en',
      level: levels[level]!,
      durationS: 60,
      channel: { id: 'c', name: 'c' },
      embedUrl: '',
      watchUrl: '',
    }
    const digests = { recordDigest: 'A'.repeat(16), transcriptDigest: 'A'.repeat(16) }
    table.add({ clip, ordinal, revision: 1, wordCount: 0, indexedAtMs: 0, ...digests })
  }
  const { head, body, tokens } = writer.finish()
  const parts = partsOf(body)
  const entry: SegmentEntry = {
    language: 'en',
    digest: sha256(head).toString('hex'),
    parts: parts.length,
    clips: clipCount,
    tokens,
  }
  for (const [i, path] of segmentPaths(entry).entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), i === 0 ? head : parts[i - 1]!)
  }
  const clipTable = joinBytes(table.finish({ en: clipCount }, () => [null, null, null, null, null]))
  const tree = folderTree(folder)
  const opened = {
    clips: new ClipTable(clipTable, 'clips.bin'),
    sentences: new Map([['en', [new Segment(head, entry)]]]),
    readRange: tree.readRange.bind(tree),
  }
  return { release: opened as unknown as Release, bytes: head.length + body.length, tokens }
}

function buildFts5(): DatabaseSync {
  const made = new DatabaseSync(join(folder, 'fts5.sqlite'))
  made.function('count_of', (phrase, text) => countOf(phrase as string, text as string))
  made.exec(`CREATE VIRTUAL TABLE said USING fts5(text, content='')`)
  made.exec('CREATE TABLE clips (id INTEGER PRIMARY KEY, level INTEGER, clipId TEXT, text TEXT); BEGIN')
  const addText = made.prepare('INSERT INTO said (rowid, text) VALUES (?, ?)')
  const addClip = made.prepare('INSERT INTO clips VALUES (?, ?, ?, ?)')
  for (const [i, { tokens: said, starts, level }] of clips.entries()) {
    const begins = new Set(starts)
    // A word that nobody asks for keeps phrases from crossing the end of a sentence.
    const text = said.map((token, at) => (begins.has(at) ? `zzzz ${codeOf(token)}` : codeOf(token))).join(' ')
    addText.run(i, text)
    addClip.run(i, level, clipIdOf(i), ` ${text} `)
  }
  made.exec('COMMIT')
  return made
}

/** Letters and digits, about as long as a word. */
function codeOf(token: string): string {
  let code = codes.get(token)
  if (!code) codes.set(token, (code = `w${codes.size.toString(36)}`))
  return code
}

/** How often a phrase occurs in a text, overlapping runs included. */
function countOf(phrase: string, text: string): number {
  let count = 0
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) count++
  return count
}

function phrases(count: number): string[][] {
  return Array.from({ length: count }, () => {
    const sentence = sentences[below(sentences.length)]!
    const from = below(sentence.length)
    return sentence.slice(from, from + 1 + below(5))
  })
}

function functionWords(): string[][] {
  return ['the', 'of the', 'and the', 'in the', 'it is', 'that is the', 'to be', 'a', 'this is a'].map(
    (text) => text.split(' '),
  )
}

async function compare(kind: string, asked: string[][]): Promise<void> {
  const cache = new SegmentCache()
  const first: number[] = []
  const ours: number[] = []
  const turns: number[] = []
  const theirs: number[] = []
  let different = 0
  for (const said of asked) {
    const own = await repeated(() => askOurs(said, cache))
    const other = await repeated(() => Promise.resolve(askFts5(said)))
    first.push(own.firstMs)
    ours.push(own.ms)
    turns.push(own.turnMs)
    theirs.push(other.ms)
    if (!isDeepStrictEqual(own.value, other.value)) different++
  }
  const ratio = (sum(theirs) / sum(ours)).toFixed(1)
  process.stdout.write(
    `${kind} (${asked.length}): pages differ for ${different}
  ours          ${show(ours)}
  longest turn  ${show(turns)}
  first time    ${show(first)}
  FTS5          ${show(theirs)}: × ${(median(theirs) / median(ours)).toFixed(1)} at the median, × ${ratio} in all\n`,
  )
}

/** A page: how many clips there are in all, and the first of them. */
interface Page {
  total: number
  clips: { clipId: string; count: number }[]
}

async function askOurs(said: string[], cache: SegmentCache): Promise<Page> {
  const query = { language: 'en', terms: said.map((token) => [Buffer.from(token)]) }
  const found = await searchSegments(query, release, cache)
  const page = rankPage(found, release.clips, { levelMask: 63, start: 0, limit: 20 })
  const shown = page.places.map((place) => ({
    clipId: release.clips.clipId(found.rows[place]!),
    count: found.counts[place]!,
  }))
  return { total: page.totalCount, clips: shown }
}

function askFts5(said: string[]): Page {
  statement ??= database.value.prepare(
    `SELECT clipId, count_of(?, clips.text) AS count, COUNT(*) OVER () AS total
     FROM said JOIN clips ON clips.id = said.rowid
     WHERE said MATCH ? ORDER BY level, count DESC, clipId LIMIT 20`,
  )
  const phrase = said.map(codeOf).join(' ')
  const rows = statement.all(` ${phrase} `, `"${phrase}"`) as {
    clipId: string
    count: number
    total: number
  }[]
  return { total: rows[0]?.total ?? 0, clips: rows.map(({ clipId, count }) => ({ clipId, count })) }
}

/**
 * The fastest of three runs, for the machine may have other work: in all, and of its longest turn
 * of the event loop.
 */
async function repeated<T>(run: () => Promise<T>) {
  const times: number[] = []
  const turns: number[] = []
  for (;;) {
    const turn = watchTurns()
    const before = performance.now()
    const value = await run()
    times.push(performance.now() - before)
    turns.push(turn.stop())
    if (times.length === 3)
      return { value, firstMs: times[0]!, ms: Math.min(...times), turnMs: Math.min(...turns) }
  }
}

/** Measures the longest turn of the event loop. */
function watchTurns(): { stop(): number } {
  let longest = 0
  let before = performance.now()
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - before)
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

function timed<T>(run: () => T): { value: T; ms: number } {
  const before = performance.now()
  return { value: run(), ms: performance.now() - before }
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function show(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(2)
  return `median ${at(0.5)}, 99 % ${at(0.99)}, worst ${at(1)} ms`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
