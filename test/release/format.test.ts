import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shortDigest } from '#kit/digest.ts'
import { ByteReader } from '#kit/varint.ts'
import { packTermVector } from '#release/clips/term-vector.ts'
import { columns as clipColumns } from '#release/clips/layout.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import { formatVersion } from '#release/manifest.ts'
import { columns as sentenceColumns, partBytes, segmentOrdinals } from '#release/sentences/layout.ts'
import { packPostingList, readPostingList } from '#release/sentences/posting-list.ts'
import { Segment, termOfList } from '#release/sentences/reader.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'
import { columns as spellingColumns } from '#release/spellings/layout.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'
import { columns as wordColumns } from '#release/words/layout.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { someClipEntry } from '../harness/clip-table.ts'
import { joinPieces } from '../harness/join-pieces.ts'

const format = readFileSync(join(import.meta.dirname, '../../src/release/FORMAT.md'), 'utf8')

/** Returns the text of FORMAT.md under a heading. */
function chapter(heading: string): string {
  return format.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!
}

test.each([
  ['clips.bin', clipColumns],
  ['words.bin', wordColumns],
  ['spellings.bin', spellingColumns],
  ['Sentences', sentenceColumns],
])('%s has the columns that FORMAT.md lists, in the same order', (heading, columns) => {
  const rows = [...chapter(heading).matchAll(/^\| `([\w.]+)` +\| (u8|u32|texts|json)/gm)]
  expect(Object.entries(columns)).toEqual(rows.map(([, name, kind]) => [name, kind]))
})

test('FORMAT.md states the version, and its changelog lists it', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  expect(changelog).toMatch(`- Releases have format version ${formatVersion}.`)
  expect(format).toMatch(`# The published tree, format version ${formatVersion}\n`)
})

/** Returns a table of each kind, with some data in every part. */
function exampleTables(): Record<string, Uint8Array> {
  const focus = [{ number: 5, tStartMs: 250 }, null, null, null, null]
  const term = { word: 5, aloneCount: 2, tStartMs: 250, occurrenceCount: 3, runLength: 2, tokensBefore: 1 }
  const group = { terms: [0, 0], tokenCount: 1 }
  const clipWriter = new ClipTableWriter({ en: 2 })
  clipWriter.add({ ...someClipEntry(0), indexedAtMs: 1_772_366_400_123, wordCount: 1 })
  const segmentWriter = new SegmentWriter('en', 0)
  const clip = { ordinal: 1, clipId: '0189abcd-0000-5000-8000-000000000000' }
  segmentWriter.add(clip, { tokens: ['I', 'Ran', ''], words: [1, 12], forms: [12, 'Ran'] })
  const meanings = { en: 'move fast', es: 'correr' }
  const word = { wordId: 12, language: 'en', word: 'run', level: 'A1', meanings, forms: ['ran'] } as const
  return {
    clips: joinPieces(clipWriter.finish(() => ({ focus, termVector: packTermVector([term], [group]) }))),
    words: joinPieces(writeWordTable([{ ...word, forms: [...word.forms], list: null }])),
    spellings: joinPieces(
      writeSpellingsTable([
        { language: 'en', words: [{ headword: 'run', spellings: ['ran', 'Ran', 'run-'] }] },
      ]),
    ),
    sentences: joinPieces(segmentWriter.finish().files),
  }
}

test('the tables have the bytes of the format version', () => {
  const digests = Object.entries(exampleTables()).map(([name, table]) => [
    name,
    // Without the version in its head, so that only the digest of the changed table differs.
    shortDigest(table.fill(0, 8, 12)),
  ])
  expect(
    { version: formatVersion, ...Object.fromEntries(digests) },
    'If a table changed: add a migration in src/release/release-format.ts, say in FORMAT.md what there is now, and enter the new digests here. If only the list of glosses or the fields of a word changed, enter the new digest of words.',
  ).toEqual({
    version: 3,
    clips: 'TG2LYrq271OT1wrX',
    words: '2fJOMat-8ZfiV_SZ',
    spellings: '0cGmZIGO7znRtges',
    sentences: 'G6QujPTwume8V3sX',
  })
})

test('the diagrams of a segment show the positions and lists that are written', () => {
  const text = chapter('Sentences')
  const numbersOf = (line: string) =>
    [...new RegExp(`^    ${line} +((?:\\d+(?: +|$))+)`, 'm').exec(text)![1]!.matchAll(/\d+/g)].map(Number)
  const writer = new SegmentWriter('en', 0)
  const said = ['look at me  come here ', 'yes ', 'no '].map((text) => text.split(' '))
  const clipId = '00000000-0000-5000-8000-000000000000'
  for (const [ordinal, tokens] of said.entries())
    writer.add({ ordinal, clipId }, { tokens, words: [], forms: [] })
  const { entry, files } = writer.finish()
  const [head, body] = files as [Uint8Array, Uint8Array]
  const segment = new Segment(new Uint8Array(head), entry)
  expect(numbersOf('positionAt')).toEqual([...segment.positionAt.subarray(0, -1)])
  const positionsOf = (term: string) => {
    const { from, to } = segment.listsOf(term)[0]!
    const list = Buffer.from(body.subarray(from, to))
    const reading = readPostingList(list, termOfList(list).at)
    let step = reading.next()
    while (!step.done) step = reading.next()
    return [...step.value]
  }
  expect(numbersOf('position')).toEqual(said.flatMap((tokens) => tokens.filter(Boolean)).flatMap(positionsOf))
  expect(text).toContain(
    `${positionsOf('').slice(0, -1).join(', ')} and ${positionsOf('').at(-1)} are the ends`,
  )
  expect(text).toContain(`parts of ${partBytes.toLocaleString('en')} bytes`)
  expect(text).toContain(`ranges of ${segmentOrdinals.toLocaleString('en')} ordinals`)

  expect(text).toMatch('the positions 4, 7 and 300')
  const written = new ByteReader(packPostingList([4, 7, 300]))
  const shown = [...text.matchAll(/positions: (\d+)|position: (\d+)|7: (\d+)|300: (\d+)/g)]
  expect(shown.map((match) => Number(match.slice(1).find(Boolean)))).toEqual(
    Array.from({ length: 4 }, () => written.varint()),
  )
})
