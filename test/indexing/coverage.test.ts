import { expect, test } from 'vitest'
import { coverageOf, type Covered } from '#indexing/coverage.ts'
import { glosses } from '#contract/glosses.ts'
import type { Level } from '#contract/levels.ts'

const clip = (language: string, level: Level, durationS: number, channel: string): Covered => ({
  language,
  level,
  durationS,
  channel,
})
const word = (wordId: number, level: Level, meanings: object) => ({
  wordId,
  language: 'en',
  word: `w${wordId}`,
  level,
  meanings,
  forms: [],
})

const noMeanings = Object.fromEntries(glosses.map((gloss) => [gloss, 0]))

test('it sums up the corpus and every language with a catalogue or clips, by code', () => {
  const clips = [clip('fr', 'A1', 10, 'x'), clip('en', 'B2', 20, 'x'), clip('en', 'A1', 30, 'y')]
  const words = [word(1, 'A1', { en: 'a', tr: 'b' }), word(2, 'A1', { en: 'a' }), word(3, 'C2', {})]
  const catalogue = new Map([
    ['tr', []],
    ['en', words],
  ])
  const coverage = coverageOf(clips, catalogue, ({ wordId }) => wordId - 1)
  expect(coverage).toMatchObject({ clipCount: 3, totalDurationS: 60, channelCount: 2 })
  expect(coverage.glosses).toEqual(glosses)
  expect(coverage.languages.map(({ language }) => language)).toEqual(['en', 'fr', 'tr'])
  expect(coverage.languages[0]).toEqual({
    language: 'en',
    clipCount: 2,
    totalDurationS: 50,
    channelCount: 2,
    clipsByLevel: { A1: 1, A2: 0, B1: 0, B2: 1, C1: 0, C2: 0 },
    wordCount: 3,
    wordsWithClips: 2,
    wordsByLevel: {
      A1: { words: 2, withClips: 1 },
      A2: { words: 0, withClips: 0 },
      B1: { words: 0, withClips: 0 },
      B2: { words: 0, withClips: 0 },
      C1: { words: 0, withClips: 0 },
      C2: { words: 1, withClips: 1 },
    },
    glossCoverage: { ...noMeanings, en: 0.6667, tr: 0.3333 },
  })
  expect(coverage.languages[2]).toMatchObject({ clipCount: 0, wordCount: 0, glossCoverage: { en: 0 } })
})
