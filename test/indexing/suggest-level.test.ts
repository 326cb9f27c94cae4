import { expect, test } from 'vitest'
import type { Level } from '#contract/levels.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { suggestLevel } from '#indexing/suggest-level.ts'

const word = (wordId: number, headword: string, level: Level) => ({
  wordId,
  language: 'en',
  word: headword,
  level,
  meanings: {},
  forms: [],
})
const lexicon = new Lexicon('en', [word(1, 'easy', 'A1'), word(2, 'middling', 'B1'), word(3, 'arcane', 'C2')])
const clip = (easy: number, middling: number, arcane: number) => [
  { tStart: 0, tEnd: 9, text: `unknown ${'easy '.repeat(easy)}${'middling '.repeat(middling)}` },
  { tStart: 9, tEnd: 10, text: 'arcane '.repeat(arcane) },
]

test('it is the lowest level at which 95 % of the catalogue tokens are known, with the shares of all levels', () => {
  expect(suggestLevel(clip(90, 5, 5), lexicon)).toEqual({
    level: 'B1',
    tokens: 100,
    knownShare: { A1: 0.9, A2: 0.9, B1: 0.95, B2: 0.95, C1: 0.95, C2: 1 },
  })
  expect(suggestLevel(clip(95, 0, 5), lexicon)?.level).toBe('A1')
  expect(suggestLevel(clip(90, 4, 6), lexicon)?.level).toBe('C2')
})

test('with fewer than 20 tokens nothing is suggested', () => {
  expect(suggestLevel(clip(19, 0, 0), lexicon)).toBeNull()
  expect(suggestLevel(clip(20, 0, 0), lexicon)?.level).toBe('A1')
})
