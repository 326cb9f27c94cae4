import { expect, test } from 'vitest'
import { restoreWords, wordsToStore } from '#nightly/index/stored-words.ts'
import { attachAnalysis } from '#nightly/index/clip-analyser.ts'
import type { TokenisedCue } from '#nightly/index/tokenise.ts'

const token = (text: string) => ({ text, tStart: 0, tEnd: 0, startsSentence: false })
const cueOf = (...texts: string[]): TokenisedCue => ({
  tStart: 0,
  tEnd: 1,
  text: texts.join(''),
  tokens: texts.map(token),
})
const word = (start: number, end: number, lemmas: string[], isFunctionWord = false) => ({
  start,
  end,
  lemmas,
  isFunctionWord,
})

test('restored words have the same lemmas, and tokens inside a word have none', () => {
  const cue = cueOf('図書', '館', 'で')
  attachAnalysis(cue, { words: [word(0, 3, ['図書館']), word(3, 4, ['で'], true)], readings: [] }, 'ja')
  const again = cueOf('図書', '館', 'で')
  restoreWords([again], JSON.parse(JSON.stringify(wordsToStore([cue]))))
  const expected = [[['図書館']], [], undefined]
  expect(again.tokens.map(({ words }) => words?.map(({ lemmas }) => lemmas))).toEqual(expected)
})
