import fc from 'fast-check'
import { expect, test } from 'vitest'
import { glosses, type Meanings } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import { toByteText } from '#kit/byte-text.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import { byRow, type ClipList, type WordRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { faultRounds } from '../../harness/fault-rounds.ts'
import { joinPieces } from '../../harness/join-pieces.ts'

function open(rows: readonly WordRow[]): WordTable {
  return new WordTable(joinPieces(writeWordTable(rows)), 'words.bin')
}

/** Returns a list of this many clips, spread over the levels, in pages of a hundred. */
function listOf(clips: number): ClipList | null {
  if (clips === 0) return null
  const clipsByLevel = levels.map((_, i) => Math.floor((clips + i) / levels.length))
  const pages = Array.from({ length: Math.ceil(clips / 100) }, (_, i) => ({
    count: Math.min(100, clips - i * 100),
    digest: Buffer.alloc(12, i + 1).toString('base64url'),
  }))
  return { clipsByLevel, pages }
}

const someText = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom('a"b', '\\', '","wordId":7,"level":"A1","meaning":"', '\u2028', 'x'.repeat(300)),
)
const someMeanings = fc.record(
  Object.fromEntries(glosses.map((gloss) => [gloss, fc.oneof(someText, fc.constant(''))])),
  { requiredKeys: [] },
) as fc.Arbitrary<Meanings>
const someWord = fc.record({
  wordId: fc.oneof(fc.nat(2 ** 32 - 2), fc.constantFrom(0, 2 ** 32 - 2)),
  language: fc.constantFrom('en', 'tr', 'zz'),
  word: someText,
  level: fc.constantFrom(...levels),
  meanings: someMeanings,
  forms: fc.array(someText, { maxLength: 4 }),
  clips: fc.oneof(fc.constant(0), fc.nat(500)),
})

const word: WordRow = {
  wordId: 12,
  language: 'en',
  word: 'run',
  level: 'A1',
  meanings: { en: 'move fast', es: 'correr' },
  forms: ['ran'],
  list: null,
}

test('returns every word, with the JSON of JSON.stringify in every gloss', () => {
  fc.assert(
    fc.property(fc.uniqueArray(someWord, { selector: ({ wordId }) => wordId, maxLength: 20 }), (words) => {
      const rows = words
        .map(({ clips, ...word }) => ({ ...word, list: listOf(clips), clipCount: clips }))
        .sort(byRow)
      const table = open(rows)
      for (const [row, { list, clipCount, language, ...entry }] of rows.entries()) {
        const { wordId, level } = entry
        const meanings: Meanings = Object.fromEntries(
          Object.entries(entry.meanings).filter(([, meaning]) => meaning !== ''),
        )
        expect(table.entry(row)).toEqual({ ...entry, meanings })
        expect([table.find(wordId), table.wordId(row)]).toEqual([row, wordId])
        expect([table.language(row), table.clipCount(row)]).toEqual([language, clipCount])
        expect([...table.clipsByLevel(row)]).toEqual(list?.clipsByLevel ?? [0, 0, 0, 0, 0, 0])
        expect(table.list(row)).toEqual(list)
        for (const gloss of glosses) {
          const meaning = meanings[gloss] ?? meanings.en ?? ''
          const shown = JSON.stringify({ word: entry.word, wordId, level, meaning })
          expect(`${table.openingOf(row, gloss)}}`).toBe(toByteText(shown))
        }
      }
      const ids = new Set(words.map(({ wordId }) => wordId))
      const near = [0, 2 ** 32 - 1, ...ids].flatMap((id) => [id - 1, id, id + 1, id + 0.5, id + 2 ** 32])
      for (const id of near) if (!ids.has(id)) expect(table.find(id)).toBe(-1)
    }),
    { numRuns: faultRounds(200), seed: 5 },
  )
})

test('numbers are in the order of ids within a language, whatever the order of the rows', () => {
  const said = [
    ['en', 9, 300],
    ['en', 4, 0],
    ['en', 7, 2],
    ['tr', 3, 0],
    ['tr', 8, 5],
  ] as const
  const rows = said.map(([language, wordId, clipCount]) => {
    return { ...word, language, wordId, list: listOf(clipCount), clipCount }
  })
  const table = open(rows.sort(byRow))
  expect([0, 1, 2, 3, 4].map((number) => table.wordId(table.rowOf(number)))).toEqual([4, 7, 9, 3, 8])
  for (const row of rows.keys()) expect(table.rowOf(table.numberOf(row)!)).toBe(row)
  expect(table.numberOf(-1)).toBeUndefined()
  expect([...table.upToLevel('tr', 0)]).toEqual([1, 1])
})

test('finds any part of a list on its pages', () => {
  const table = open([{ ...word, list: listOf(250) }])
  const pages = table.pages(0)
  expect(pages).toHaveLength(3)
  expect(pages[1]!.path).toBe('data/words/en/12.0202020202020202.json')
  expect(table.cut(0, 0, 100)).toEqual([{ ...pages[0], from: 0, to: 100 }])
  expect(table.cut(0, 95, 205)).toEqual([
    { ...pages[0], from: 95, to: 100 },
    { ...pages[1], from: 0, to: 100 },
    { ...pages[2], from: 0, to: 5 },
  ])
  expect(table.cut(0, 249, 250)).toEqual([{ ...pages[2], from: 49, to: 50 }])
  expect(table.cut(0, 250, 250)).toEqual([])
})

test('refuses a table that is truncated, or holds clips', () => {
  const reason = /cut short$/
  expect(() => new WordTable(joinPieces(writeWordTable([word])).slice(0, 100), 'words.bin')).toThrow(reason)
  const clips = new ClipTableWriter({}).finish(() => ({ focus: [], termVector: new Uint8Array() }))
  expect(() => new WordTable(joinPieces(clips), 'words.bin')).toThrow(
    'cannot open "words.bin": it contains the table "clips", not "words"',
  )
})
