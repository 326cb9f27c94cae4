import { expect, test } from 'vitest'
import type { CatalogueLine } from '#corpus/catalogue-word.ts'
import { mergeWords } from '#corpus/import/words/merge-words.ts'
import { parseWordList } from '#corpus/import/words/word-list.ts'

const run: CatalogueLine = {
  wordId: 7,
  word: 'run',
  level: 'A1',
  meanings: { en: 'go fast' },
  forms: ['ran'],
}

function merge(catalogue: CatalogueLine[], csv: string[], overwrite = false, language = 'en') {
  const { words } = parseWordList(csv.join('\n'), 'words.csv', language)
  return mergeWords(catalogue, words, { language, nextId: 8, overwrite })
}

test('continues the numbering for new words, with their meanings, forms and variants', () => {
  const csv = [
    'Word,CEFR,meaning_en,meaning_tr,forms',
    'a.m./A.M./am,a1,"before noon, in the morning",,',
    'go,A1,,gitmek,went|goes; GO',
  ]
  expect(merge([run], csv).lines.slice(1)).toEqual([
    { wordId: 8, word: 'a.m.', level: 'A1', meanings: { en: 'before noon, in the morning' }, forms: ['am'] },
    { wordId: 9, word: 'go', level: 'A1', meanings: { tr: 'gitmek' }, forms: ['went', 'goes'] },
  ])
})

test('keeps what the catalogue has, adds what it lacks, and the same list again changes nothing', () => {
  const csv = ['word,level,meaning,meaning_es,forms', 'Run,B1,sprint,correr,runs|RAN']
  const merged = merge([run], csv)
  expect(merged).toMatchObject({ added: 0, changed: 1, unchanged: 0 })
  expect(merged.lines).toEqual([
    { ...run, meanings: { en: 'go fast', es: 'correr' }, forms: ['ran', 'runs'] },
  ])
  expect(merged.conflicts).toEqual([{ word: 'run', kept: 'A1', other: 'B1' }])
  expect(merge(merged.lines, csv)).toMatchObject({ added: 0, changed: 0, unchanged: 1, lines: merged.lines })
})

test('when overwriting, the list takes precedence over the catalogue', () => {
  const merged = merge([run], ['word,level,meaning', 'run,B1,sprint'], true)
  expect(merged.lines).toEqual([{ ...run, level: 'B1', meanings: { en: 'sprint' } }])
  expect(merged.conflicts).toEqual([{ word: 'run', kept: 'B1', other: 'A1' }])
})

test('uses the lowest level and the first meaning of several rows for a word', () => {
  const merged = merge([], ['headword;pos;cefr;meaning', 'set;noun;B2;a group', 'set;verb;A2;to put'])
  expect(merged.lines).toEqual([
    { wordId: 8, word: 'set', level: 'A2', meanings: { en: 'a group' }, forms: [] },
  ])
  expect(merged.conflicts).toEqual([{ word: 'set', kept: 'A2', other: 'B2' }])
})

test('compares words by the case rules of their language', () => {
  const word = { ...run, word: 'ılık' }
  const expected = { added: 1, unchanged: 1 }
  expect(merge([word], ['word,level', 'ILIK,A1', 'ilik,A1'], false, 'tr')).toMatchObject(expected)
})

test('reports rows that are not words, with line and reason', () => {
  const { words, problems } = parseWordList('word,level\n,A1\nrun,D1\ngo,\n', 'w.csv', 'en')
  expect(words).toMatchObject([{ word: 'go', line: 4 }])
  expect(problems).toEqual([
    { file: 'w.csv', line: 2, field: 'word', reason: 'must not be empty' },
    { file: 'w.csv', line: 3, field: 'level', reason: expect.stringContaining('A1, A2') },
  ])
  expect(merge([], ['word', 'go']).withoutLevel).toMatchObject([{ word: 'go' }])
})

test('refuses a list without words', () => {
  expect(() => parseWordList('a,b\n1,2', 'w.csv', 'en')).toThrow('has no column "word". Its columns are a, b')
  expect(() => parseWordList('word,level\n"a,b', 'w.csv', 'en')).toThrow('is not a CSV file')
})
