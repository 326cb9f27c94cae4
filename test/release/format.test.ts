import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as clips from '#release/clips/layout.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import { formatVersion } from '#release/manifest.ts'
import * as postings from '#release/postings/layout.ts'
import { PostingsTableWriter } from '#release/postings/writer.ts'
import * as search from '#release/search/layout.ts'
import { writeSearchTable } from '#release/search/writer.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'
import * as spellings from '#release/spellings/layout.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import * as words from '#release/words/layout.ts'
import { writeWordTable } from '#release/words/writer.ts'

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

test('FORMAT.md has the version and the numbers of the layouts', () => {
  expect(format).toMatch(`# The published tree, format version ${formatVersion}\n`)
  for (const [heading, { languageNumbers }] of Object.entries({ clips, words, search, spellings, postings }))
    expect(chapter(`${heading}.bin`)).toMatch(`| u32[${languageNumbers} × …]`)
  expect(chapter('search.bin')).toMatch(
    `u32[${search.frequentNumbers} × …]  | for each text of more than ${search.frequentOver} places`,
  )
  expect(chapter('search.bin')).toMatch(`u32[${search.countNumbers} × …]`)
})

test('the picture of a record has the words that its parts begin at', () => {
  const { lengthAt, shapeAt, tailAt, durationAt, focusAt, digestsAt, wordCountAt, indexedAt, textAt } = clips
  const numbers = /a record, in 32-bit words\n([ \d]+)\n/.exec(chapter('clips.bin'))![1]!.trim().split(/ +/)
  expect(numbers.map(Number)).toEqual([
    lengthAt,
    shapeAt,
    tailAt,
    durationAt,
    focusAt,
    digestsAt,
    wordCountAt,
    indexedAt,
    textAt,
  ])
})
