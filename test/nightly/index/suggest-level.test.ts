import { expect, test } from 'vitest'
import type { Level } from '#contract/levels.ts'
import { levelSuggester } from '#nightly/index/suggest-level.ts'

const word = (wordId: number, headword: string, level: Level) => ({
  wordId,
  language: 'en',
  word: headword,
  level,
  meanings: {},
  forms: [],
})
const suggestLevel = levelSuggester('en', [
  word(1, 'easy', 'A1'),
  word(2, 'middling', 'B1'),
  word(3, 'arcane', 'C2'),
])
const clip = (easy: number, middling: number, arcane: number) => [
  { tStart: 0, tEnd: 9, text: `unknown ${'easy '.repeat(easy)}${'middling '.repeat(middling)}` },
  { tStart: 9, tEnd: 10, text: 'arcane '.repeat(arcane) },
]

test('suggests the lowest level at which 95 % of the catalogue tokens are known, with the shares of all levels', () => {
  expect(suggestLevel(clip(90, 5, 5))).toEqual({
    level: 'B1',
    tokens: 100,
    knownShare: { A1: 0.9, A2: 0.9, B1: 0.95, B2: 0.95, C1: 0.95, C2: 1 },
  })
  expect(suggestLevel(clip(95, 0, 5))?.level).toBe('A1')
  expect(suggestLevel(clip(90, 4, 6))?.level).toBe('C2')
})

test('suggests nothing for fewer than 20 tokens', () => {
  expect(suggestLevel(clip(19, 0, 0))).toBeNull()
  expect(suggestLevel(clip(20, 0, 0))?.level).toBe('A1')
})

test('words in lower case that a large catalogue lacks count as unknown, but names do not', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => word(i + 10, `filler${i}`, 'C1'))
  const suggestLarge = levelSuggester('en', [word(1, 'easy', 'A1'), word(2, 'middling', 'B1'), ...many])
  const text = (unknown: string) => [
    { tStart: 0, tEnd: 9, text: `${'easy '.repeat(95)}${'middling '.repeat(5)}${unknown}` },
  ]
  expect(suggestLarge(text(''))).toMatchObject({ level: 'A1', tokens: 100 })
  expect(suggestLarge(text('qux '.repeat(3)))).toMatchObject({ level: 'B1', tokens: 103 })
  expect(suggestLarge(text('Qux 42 '.repeat(3)))).toMatchObject({ level: 'A1', tokens: 100 })
  expect(suggestLarge(text('qux '.repeat(20)))).toMatchObject({ level: 'C2', tokens: 120 })
})

test('in Chinese, 90 % is enough', () => {
  const suggestChinese = levelSuggester('zh', [
    { ...word(1, '我', 'A1'), language: 'zh' },
    { ...word(2, '也', 'C2'), language: 'zh' },
  ])
  const said = (count: number) => [
    { tStart: 0, tEnd: 9, text: `${'我,'.repeat(100 - count)}${'也,'.repeat(count)}` },
  ]
  expect(suggestChinese(said(10))?.level).toBe('A1')
  expect(suggestChinese(said(11))?.level).toBe('C2')
})
