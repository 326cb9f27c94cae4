import { expect, test } from 'vitest'
import { formatRows, parseRows, type WordRow } from '#release/tables.ts'

const row = (wordId: number): WordRow => ({
  wordId,
  language: 'en',
  word: 'line\u2028break\n',
  level: 'A1',
  meanings: {},
  forms: [],
  clipsByLevel: [0, 0, 0, 0, 0, 0],
  pages: [{ path: 'data/x', digest: 'd' }],
})

test('rows come back as they were written', () => {
  expect(parseRows(formatRows([row(1), row(2)]), 'words.jsonl')).toEqual([row(1), row(2)])
  expect(parseRows(formatRows([]), 'words.jsonl')).toEqual([])
})

test('a table cut short is refused with the line', () => {
  const text = formatRows([row(1), row(2)])
  expect(() => parseRows(text.slice(0, -5), 'words.jsonl')).toThrow(
    'cannot open "words.jsonl": line 2 is no row',
  )
})
