import { expect, test } from 'vitest'
import { tokenise } from '#nightly/index/tokenise.ts'

test('moves the times of words outside their cue to its start or end, in milliseconds', () => {
  const words = [
    { text: 'One', tStart: 0.5, tEnd: 1.5 },
    { text: 'two', tStart: 1.50049, tEnd: 4 },
    { text: 'three.', tStart: 4, tEnd: 5 },
  ]
  const tokens = tokenise({ tStart: 1, tEnd: 3, text: 'One two three.', words }, 'en')
  expect(tokens.map(({ text, tStart, tEnd }) => [text, tStart, tEnd])).toEqual([
    ['One', 1, 1.5],
    ['two', 1.5, 3],
    ['three', 3, 3],
  ])
})
