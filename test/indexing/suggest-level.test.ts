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

test('small letters that a large catalogue lacks count as unknown, names do not', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => word(i + 10, `filler${i}`, 'C1'))
  const large = new Lexicon('en', [word(1, 'easy', 'A1'), word(2, 'middling', 'B1'), ...many])
  const text = (unknown: string) => [
    { tStart: 0, tEnd: 9, text: `${'easy '.repeat(95)}${'middling '.repeat(5)}${unknown}` },
  ]
  expect(suggestLevel(text(''), large)).toMatchObject({ level: 'A1', tokens: 100 })
  expect(suggestLevel(text('qux '.repeat(3)), large)).toMatchObject({ level: 'B1', tokens: 103 })
  expect(suggestLevel(text('Qux 42 '.repeat(3)), large)).toMatchObject({ level: 'A1', tokens: 100 })
  expect(suggestLevel(text('qux '.repeat(20)), large)).toMatchObject({ level: 'C2', tokens: 120 })
})

test('in Chinese, 90 % are enough', () => {
  const zh = new Lexicon('zh', [
    { ...word(1, '我', 'A1'), language: 'zh' },
    { ...word(2, '也', 'C2'), language: 'zh' },
  ])
  const said = (count: number) => [
    { tStart: 0, tEnd: 9, text: `${'我,'.repeat(100 - count)}${'也,'.repeat(count)}` },
  ]
  expect(suggestLevel(said(10), zh)?.level).toBe('A1')
  expect(suggestLevel(said(11), zh)?.level).toBe('C2')
})
