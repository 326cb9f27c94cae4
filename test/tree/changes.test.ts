import { expect, test } from 'vitest'
import { ClipTable } from '#release/clips/reader.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import type { NamingTables } from '#release/named-files.ts'
import type { WordRow } from '#release/words/layout.ts'
import { WordTable } from '#release/words/reader.ts'
import { writeWordTable } from '#release/words/writer.ts'
import { changesBetween } from '#tree/changes.ts'
import { joinPieces } from '../harness/join-pieces.ts'

const word: WordRow = {
  wordId: 12,
  language: 'en',
  word: 'run',
  level: 'A1',
  meanings: { en: 'move fast', es: 'correr' },
  forms: ['ran'],
  list: listOf(1),
}

/** Returns a list with one page. */
function listOf(count: number) {
  return { clipsByLevel: [count, 0, 0, 0, 0, 0], pages: [{ count, digest: 'A'.repeat(16 - 1) + count }] }
}

/** Returns the words that change if a release with `before` is followed by one with `after`. */
function changedWords(before: WordRow, after: WordRow) {
  const clips = new ClipTableWriter({}).finish(() => ({ focus: [], termVector: new Uint8Array() }))
  const tables = {
    manifest: { release: '000001-0', corpus: 'c', index: {}, sentences: [] },
    clips: new ClipTable(joinPieces(clips), 'clips.bin'),
    words: new WordTable(joinPieces(writeWordTable([before])), 'words.bin'),
  } as unknown as NamingTables
  return changesBetween(tables, {
    release: '000002-0',
    corpus: 'c',
    index: {},
    clips: () => [],
    words: () => [after],
  }).words
}

test.each<[string, Partial<WordRow>]>([
  ['headword', { word: 'runs' }],
  ['level', { level: 'A2' }],
  ['language', { language: 'tr' }],
  ['English meaning', { meanings: { en: 'move quickly', es: 'correr' } }],
  ['other meaning', { meanings: { en: 'move fast', es: 'andar' } }],
  ['form', { forms: ['runs'] }],
  ['list', { list: listOf(3) }],
])('a word with a different %s counts as changed', (_, change) => {
  expect(changedWords(word, { ...word, ...change })).toEqual({ added: [], changed: [12], withdrawn: [] })
})

test('an identical word does not count as changed', () => {
  expect(changedWords(word, { ...word })).toEqual({ added: [], changed: [], withdrawn: [] })
})

test('a word with a different id is added, and the old one withdrawn', () => {
  expect(changedWords(word, { ...word, wordId: 13 })).toEqual({ added: [13], changed: [], withdrawn: [12] })
})
