import { expect, test } from 'vitest'
import { checkCatalogue } from '#corpus/check-catalogue.ts'
import type { Level } from '#contract/levels.ts'

const word = (wordId: number, headword: string, level: Level, forms: string[] = [], meanings = {}) => ({
  wordId,
  language: 'en',
  word: headword,
  level,
  meanings,
  forms,
})

test('lists words without a meaning, spellings of several words, and those of them with different levels', () => {
  const words = [
    word(1, 'leave', 'A1', ['left'], { en: 'go away' }),
    word(2, 'left', 'A1', [], { en: 'not right', tr: 'sol' }),
    word(3, 'ice-cream', 'A2'),
    word(4, 'Ice cream', 'B1', [], { en: 'frozen' }),
  ]
  const found = checkCatalogue(words, 'en')
  expect(found).toMatchObject({ words: 4, missing: { en: 1, tr: 3, zh: 4 } })
  expect(found.withoutMeaning).toEqual([{ wordId: 3, word: 'ice-cream', level: 'A2' }])
  expect(
    found.clashes.map(({ spelling, words: clashing }) => [spelling, clashing.map(({ wordId }) => wordId)]),
  ).toEqual([
    ['left', [1, 2]],
    ['ice cream', [3, 4]],
  ])
  expect(found.levelConflicts.map(({ spelling }) => spelling)).toEqual(['ice cream'])
})
