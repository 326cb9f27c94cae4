import { expect, test } from 'vitest'
import { showMatches } from '#proxy/sentences/show-matches.ts'

/** Cues of three tokens. The later ones begin earlier. */
const cues = [30, 20, 10, 0].map((tStart, i) => ({
  tStart,
  tEnd: tStart + 9,
  text: `Look here, ${i}!`,
  words: ['Look', 'here', `${i}`].map((text, at) => ({ text, tStart: tStart + at, tEnd: tStart + at + 1 })),
}))

function show(tokens: readonly number[], length: number) {
  const runs = tokens.map((token) => ({ token, isExact: token % 2 === 0 }))
  return showMatches(runs, length, { cues, language: 'en' })
}

test('of the runs of cues that overlap the first three in time are shown, in time order', () => {
  const shown = show([0, 3, 6, 7, 9], 2)
  expect(shown.map(({ tStart, tEnd }) => [tStart, tEnd])).toEqual([
    [0, 2],
    [10, 12],
    [11, 13],
  ])
  expect(shown.map(({ text, start, end, kind }) => [text.slice(start, end), kind])).toEqual([
    ['Look here', 'form'],
    ['Look here', 'exact'],
    ['here, 2', 'form'],
  ])
})

test('a run across cues shows both', () => {
  expect(show([5], 2)).toEqual([
    { tStart: 22, tEnd: 11, text: 'Look here, 1! Look here, 2!', start: 11, end: 18, kind: 'form' },
  ])
})
