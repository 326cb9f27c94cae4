import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { levels } from '#contract/levels.ts'
import { shortDigest } from '#kit/digest.ts'
import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import * as clips from '#release/clips/layout.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import { formatVersion } from '#release/manifest.ts'
import * as postings from '#release/postings/layout.ts'
import { packPostings } from '#release/postings/layout.ts'
import { PostingsTableWriter } from '#release/postings/writer.ts'
import * as search from '#release/search/layout.ts'
import { writeSearchTable } from '#release/search/writer.ts'
import { partBytes } from '#release/sentences/layout.ts'
import { PostingListWriter } from '#release/sentences/posting-list-writer.ts'
import { readPostingList } from '#release/sentences/posting-list.ts'
import { Segment, termOfList } from '#release/sentences/reader.ts'
import { packSpeech } from '#release/sentences/speech.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'
import * as spellings from '#release/spellings/layout.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import * as words from '#release/words/layout.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { clipNumbers, someClipEntry } from '../harness/clip-table.ts'

const format = readFileSync(join(import.meta.dirname, '../../src/release/FORMAT.md'), 'utf8')

/** The text of FORMAT.md under a heading. */
function chapter(heading: string): string {
  return format.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!
}

/** By name, the kind of each section in the directory of a table. */
function sectionsOf(table: Buffer): Record<string, string> {
  const entries = Array.from({ length: table.readUInt32LE(12) }, (_, i) => table.subarray(32 + i * 32))
  return Object.fromEntries(
    entries.map((entry) => [
      entry.toString('latin1', 0, 16).replace(/\0+$/, ''),
      entry.readUInt32LE(16) === 4 ? 'u32' : 'u8',
    ]),
  )
}

const noRanges: [] = []
test.each([
  ['clips.bin', Buffer.concat(new ClipTableWriter().finish({}, () => []))],
  ['words.bin', Buffer.concat(writeWordTable(0, () => undefined as never))],
  ['search.bin', Buffer.concat(writeSearchTable({ folded: [], levels: new Uint8Array(), ranges: noRanges }))],
  ['spellings.bin', Buffer.concat(writeSpellingsTable([]))],
  ['postings.bin', Buffer.concat(new PostingsTableWriter().finish({}))],
  ['Sentences', Buffer.from(new SegmentWriter().finish().head)],
])('%s has the sections that FORMAT.md lists, in its order', (heading, table) => {
  const rows = [...chapter(heading).matchAll(/^\| `(\w+)` +\| (u8|u32)/gm)].map(([, name, kind]) => [
    name,
    kind,
  ])
  expect(Object.entries(sectionsOf(table))).toEqual(rows)
})

test('FORMAT.md has the version and the numbers of the layouts, and the changelog has the version', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  expect(changelog).toMatch(`- Releases have format version ${formatVersion}.`)
  expect(format).toMatch(`# The published tree, format version ${formatVersion}\n`)
  for (const [heading, { languageNumbers }] of Object.entries({ clips, words, search, spellings, postings }))
    expect(chapter(`${heading}.bin`)).toMatch(`| u32[${languageNumbers} × …]`)
  expect(chapter('search.bin')).toMatch(
    `u32[${search.frequentNumbers} × …]  | for each text of more than ${search.frequentOver} places`,
  )
  expect(chapter('search.bin')).toMatch(`u32[${search.countNumbers} × …]`)
})

test('the picture of a record has the words that its parts begin at, and its numbers have a text', () => {
  const { lengthAt, shapeAt, tailAt, durationAt, focusAt, digestsAt, indexedAt, textAt } = clips
  const numbers = /a record, in 32-bit words\n([ \d]+)\n/.exec(chapter('clips.bin'))![1]!.trim().split(/ +/)
  expect(numbers.map(Number)).toEqual([
    lengthAt,
    shapeAt,
    tailAt,
    durationAt,
    focusAt,
    digestsAt,
    ...Object.values(clips.numberAt),
    indexedAt,
    textAt,
  ])
  for (const name of clips.numberNames) expect(chapter('clips.bin').match(/^- .*/gm)!.join()).toContain(name)
})

const shares = levels.map(() => 50)
const speech = {
  isInTimeOrder: true,
  firstCueAt: 9,
  cues: [{ sizeBytes: 20, tokenCount: 1 }],
  sentenceStarts: [],
}

/** A table of each kind, with something in every part of it. */
function exampleTables(): Record<string, Uint8Array[]> {
  const focus = [{ entryAt: 5, tStartMs: 250 }, null, null, null, null]
  const clipWriter = new ClipTableWriter()
  clipWriter.add({ ...someClipEntry(0), indexedAtMs: 1_772_366_400_123, ...clipNumbers((i) => i + 1) })
  const postingsWriter = new PostingsTableWriter()
  postingsWriter.add('en', 0, packPostings(shares, [{ wordId: 12, occurrenceCount: 2, tStartMs: 250 }]))
  const segmentWriter = new SegmentWriter()
  segmentWriter.add(0, 1, packSpeech(speech, ['run']))
  const { head, body } = segmentWriter.finish()
  const meanings = { en: 'move fast', es: 'correr' }
  const word = { wordId: 12, language: 'en', word: 'run', level: 'A1', meanings, forms: ['ran'] } as const
  const ranges = [{ first: 0, clipsEnd: 0, end: 1 }]
  return {
    clips: clipWriter.finish({ en: 2 }, () => focus),
    words: writeWordTable(1, () => ({ ...word, forms: [...word.forms], list: null })),
    search: writeSearchTable({ folded: ['run'], levels: new Uint8Array(1), ranges }),
    spellings: writeSpellingsTable([
      { language: 'en', words: [{ row: 0, folded: 'run', spellings: ['ran'] }] },
    ]),
    postings: postingsWriter.finish({ en: 2 }),
    sentences: [head, body],
  }
}

test('the bytes of the tables are those of the format version', () => {
  const digests = Object.entries(exampleTables()).map(([name, pieces]) => [
    name,
    // Without the version in its head, so that it changes for the table that changed.
    shortDigest(Buffer.concat(pieces).fill(0, 8, 12)),
  ])
  expect(
    { version: formatVersion, ...Object.fromEntries(digests) },
    'If a table changed: raise formatVersion in src/release/manifest.ts, say what changed at the end of FORMAT.md, and enter the new digests here. If only the list of glosses changed, enter the new digest of words.',
  ).toEqual({
    version: 10,
    clips: 'f4fsklgaDKw36xN1',
    words: 'gXMO7EK4886VzqV8',
    search: 'S0EGIlTfztmph7sW',
    spellings: 'B1M0bmM-yL_n7qr1',
    postings: 'tdB4My2A4-hXtJQz',
    sentences: '2QPpFAsNYrfMtpCN',
  })
})

test('the pictures of a segment show the positions, parts and lists that are written', () => {
  const text = chapter('Sentences')
  const numbersOf = (line: string) =>
    [...new RegExp(`^    ${line} +((?:\\d+(?: +|$))+)`, 'm').exec(text)![1]!.matchAll(/\d+/g)].map(Number)
  const writer = new SegmentWriter()
  const clips = [
    { said: ['look', 'at', 'me', 'come', 'here'], sentenceStarts: [3] },
    { said: ['yes'], sentenceStarts: [] },
    { said: ['no'], sentenceStarts: [] },
  ]
  for (const [clip, { said, sentenceStarts }] of clips.entries()) {
    const cues = [{ sizeBytes: 100, tokenCount: said.length }]
    writer.add(clip, 1, packSpeech({ isInTimeOrder: true, firstCueAt: 0, cues, sentenceStarts }, said))
  }
  const { head, body, tokens } = writer.finish()
  const entry = { language: 'en', digest: 'd', parts: 1, clips: clips.length, tokens }
  const segment = new Segment(new Uint8Array(head), entry)
  expect(numbersOf('positionAt')).toEqual([...segment.positionAt.subarray(0, -1)])
  const positions = clips.flatMap(({ said }) =>
    said.map((term) => {
      const { from, to } = segment.listsOf(Buffer.from(term))[0]!
      const list = body.subarray(from, to)
      const reading = readPostingList(list, termOfList(list).at)
      let step = reading.next()
      while (!step.done) step = reading.next()
      return step.value[0]
    }),
  )
  expect(numbersOf('position')).toEqual(positions)
  expect(text).toMatch(`parts of ${partBytes.toLocaleString('en')} bytes`)

  const out = new ByteWriter()
  const list = new PostingListWriter(out)
  for (const position of [4, 7, 300]) list.add(position)
  list.end(() => {})
  expect(text).toMatch('the positions 4, 7 and 300')
  const written = new ByteReader(out.view())
  const shown = [...text.matchAll(/positions: (\d+)|position: (\d+)|7: (\d+)|300: (\d+)/g)]
  expect(shown.map((match) => Number(match.slice(1).find(Boolean)))).toEqual(
    Array.from({ length: 4 }, () => written.varint()),
  )
})
