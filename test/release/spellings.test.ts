import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchFold, spellingFold } from '#language/folds.ts'
import { SpellingsTable } from '#release/spellings/reader.ts'
import { writeSpellingsTable, type SpelledWord } from '#release/spellings/writer.ts'
import { joinPieces } from '../harness/join-pieces.ts'

function tableOf(...languages: { language: string; words: SpelledWord[] }[]): SpellingsTable {
  return new SpellingsTable(joinPieces(writeSpellingsTable(languages)), 'spellings.bin')
}

/** Returns the entries that start with a text, as row and spelling, with `=` if they are equal. */
function found(table: SpellingsTable, q: string, language: string): string[] {
  const { from, exactEnd, to } = table.find(spellingFold(q, language), language)
  const entries = Array.from({ length: to - from }, (_, i) => from + i)
  return entries
    .filter((entry) => !table.isBare(entry))
    .map((entry) => `${entry < exactEnd ? '=' : ''}${table.row(entry)} ${table.spelling(entry)}`)
}

test('finds entries by prefix, language by language', () => {
  const table = tableOf(
    { language: 'en', words: [{ headword: 'child', spellings: ['Children', 'childs'] }] },
    { language: 'ja', words: [{ headword: '食べる', spellings: ['タベル', 'たべる', 'taberu'] }] },
  )
  expect(found(table, 'child', 'en')).toEqual(['=0 child', '0 Children', '0 childs'])
  expect(found(table, 'CHILDREN', 'en')).toEqual(['=0 Children'])
  expect(found(table, 'たべ', 'ja')).toEqual(['1 タベル', '1 たべる'])
  expect(found(table, 'child', 'ja')).toEqual([])
  expect(found(table, 'x', 'tr')).toEqual([])
})

const someSpelling = fc.string({
  minLength: 1,
  maxLength: 4,
  unit: fc.constantFrom('a', 'B', 'ı', 'é', '食', 'カ', '😀', ' '),
})

test('agrees with a plain search', () => {
  const words = fc.array(fc.record({ headword: someSpelling, spellings: fc.array(someSpelling) }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(words, someSpelling, (spelled, q) => {
      const table = tableOf({ language: 'aa', words: [] }, { language: 'tr', words: spelled })
      const sought = spellingFold(q, 'tr')
      const wanted = spelled.flatMap(({ headword, spellings }, row) =>
        [...new Set([headword, ...spellings])]
          .filter((text) => spellingFold(text, 'tr').startsWith(sought))
          .map((text) => `${spellingFold(text, 'tr') === sought ? '=' : ''}${row} ${text}`),
      )
      expect(found(table, q, 'tr').toSorted()).toEqual(wanted.toSorted())
      const folded = searchFold(q, 'tr')
      const holding: [number, boolean, boolean][] = []
      table.eachHolding(folded, 'tr', (...word) => holding.push(word))
      expect(holding).toEqual(
        [...spelled.entries()]
          .map(([row, { headword }]) => ({ row, text: searchFold(headword, 'tr') }))
          .filter(({ text }) => text.includes(folded))
          .map(({ row, text }) => [row, text === folded, text.startsWith(folded)]),
      )
    }),
    { seed: 7, numRuns: 300 },
  )
})

test('matches an exact spelling, or else a folded one', () => {
  const words = ['está', 'esta', 'este', 'ice cream', 'ice-cream', 'Mr.'].map((headword) => ({
    headword,
    spellings: headword === 'este' ? ['esta', 'Ésta'] : [],
  }))
  const table = tableOf({ language: 'es', words })
  const named = (text: string) => table.wordsSpelled(text, 'es').map((row) => words[row]!.headword)
  expect(named('esta')).toEqual(['esta', 'este'])
  expect(named('ESTÁ')).toEqual(['está'])
  expect(named('ésta')).toEqual(['este'])
  expect(named('èsta')).toEqual(['está', 'esta', 'este'])
  expect(named('ice-cream')).toEqual(['ice-cream', 'ice cream'])
  expect(named('Ice Créam')).toEqual(['ice cream', 'ice-cream'])
  expect(named('mr')).toEqual(['Mr.'])
  expect(named('mr.,')).toEqual(['Mr.'])
  for (const text of ['', '.', 'ice']) expect(named(text)).toEqual([])
})
