import { expect, test } from 'vitest'
import { spellingFold } from '#language/spelling-fold.ts'
import { SpellingsTable } from '#release/spellings/reader.ts'
import { writeSpellingsTable, type SpelledWord } from '#release/spellings/writer.ts'

function tableOf(...languages: { language: string; words: SpelledWord[] }[]): SpellingsTable {
  return new SpellingsTable(new Uint8Array(Buffer.concat(writeSpellingsTable(languages))), 'spellings.bin')
}

/**
 * The entries that a text begins, each as its row and spelling, `=` before those that it equals.
 */
function found(table: SpellingsTable, q: string, language: string): string[] {
  const { from, exactEnd, to } = table.find(spellingFold(q, language), language)
  const entries = Array.from({ length: to - from }, (_, i) => from + i)
  return entries
    .filter((entry) => !table.isBare(entry))
    .map((entry) => `${entry < exactEnd ? '=' : ''}${table.row(entry)} ${table.spelling(entry)}`)
}

test('entries are found by what begins them, language by language', () => {
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

test('a spelling names what is spelled exactly so, or else what is so after folding', () => {
  const words = ['está', 'esta', 'este', 'ice cream', 'ice-cream', 'Mr.'].map((headword) => ({
    headword,
    spellings: headword === 'este' ? ['esta', 'Ésta'] : [],
  }))
  const table = tableOf({ language: 'es', words })
  const named = (text: string) => table.named(text, 'es').map((row) => words[row]!.headword)
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
