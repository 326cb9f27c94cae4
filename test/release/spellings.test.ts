import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spellingFold } from '#language/spelling-fold.ts'
import { SpellingsTable } from '#release/spellings/reader.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'

type Words = { row: number; folded: string; spellings: string[] }[]

function tableOf(languages: { language: string; words: Words }[]): SpellingsTable {
  return new SpellingsTable(new Uint8Array(Buffer.concat(writeSpellingsTable(languages))), 'spellings.bin')
}

/** The entries of a range, as row and spelling; those that are the text first, with a `=`. */
function found(table: SpellingsTable, q: string, language: string): string[] {
  const { from, exactEnd, to } = table.find(spellingFold(q, language), language)
  return Array.from({ length: to - from }, (_, i) => from + i).map(
    (entry) => `${entry < exactEnd ? '=' : ''}${table.row(entry)} ${table.spelling(entry)}`,
  )
}

test('entries are found by what their folded spelling begins with, language by language', () => {
  const table = tableOf([
    { language: 'en', words: [{ row: 0, folded: 'child', spellings: ['Children', 'childs'] }] },
    { language: 'ja', words: [{ row: 1, folded: '食べる', spellings: ['タベル', 'たべる', 'taberu'] }] },
  ])
  expect(found(table, 'child', 'en')).toEqual(['0 Children', '0 childs'])
  expect(found(table, 'CHILDREN', 'en')).toEqual(['=0 Children'])
  expect(found(table, 'たべ', 'ja')).toEqual(['1 たべる'])
  expect(found(table, 'child', 'ja')).toEqual([])
  expect(found(table, 'x', 'tr')).toEqual([])
})

test('it agrees with a plain search', () => {
  const spelling = fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'B', 'ı', 'é', '食', 'カ', '😀') })
  const words = fc.array(fc.array(spelling, { maxLength: 4 }), { maxLength: 8 })
  fc.assert(
    fc.property(words, spelling, (spellings, q) => {
      const table = tableOf([
        { language: 'tr', words: spellings.map((each, row) => ({ row, folded: '', spellings: each })) },
      ])
      const sought = spellingFold(q, 'tr')
      const wanted = new Set(
        spellings.flatMap((each, row) =>
          each
            .map((text) => spellingFold(text, 'tr'))
            .filter((key) => key !== '' && key.startsWith(sought))
            .map((key) => `${row} ${key}`),
        ),
      )
      const { from, exactEnd, to } = table.find(sought, 'tr')
      const entries = Array.from({ length: to - from }, (_, i) => from + i)
      const keyOf = (entry: number) => spellingFold(table.spelling(entry), 'tr')
      expect(new Set(entries.map((entry) => `${table.row(entry)} ${keyOf(entry)}`))).toEqual(wanted)
      for (const entry of entries) expect(keyOf(entry) === sought).toBe(entry < exactEnd)
    }),
    { seed: 7, numRuns: 300 },
  )
})

test('an entry says how much of it the headword begins with, up to 255 bytes', () => {
  const long = 'a'.repeat(300)
  const words = [
    { row: 0, folded: 'run', spellings: ['running'] },
    { row: 1, folded: 'go', spellings: ['went'] },
    { row: 2, folded: 'été', spellings: ['étés'] },
    { row: 3, folded: long, spellings: [`${long}s`] },
  ]
  const table = tableOf([{ language: 'xx', words }])
  const longest = (q: string) => {
    const { from } = table.find(q, 'xx')
    return Array.from({ length: 400 }, (_, length) => length).findLast((length) =>
      table.isShared(from, length),
    )
  }
  expect(longest('running')).toBe(3)
  expect(longest('went')).toBe(0)
  expect(longest(spellingFold('étés', 'xx'))).toBe(0)
  expect(longest(long)).toBe(255)
})
