import { expect, test } from 'vitest'
import { isBetterFocus } from '#contract/focus-word.ts'

const candidate = { wordId: 5, occurrenceCount: 2, clipCount: 4 }

test.each([
  [
    'is in three clips or more, though it is said less often',
    { clipCount: 3, occurrenceCount: 1 },
    { clipCount: 2 },
  ],
  ['is said more often', { occurrenceCount: 3, clipCount: 9 }, {}],
  ['is said as often, in fewer clips', { clipCount: 3, wordId: 9 }, {}],
  ['has the lower id', { wordId: 4 }, {}],
])('the focus word is the one that %s', (_, better, worse) => {
  expect(isBetterFocus({ ...candidate, ...better }, { ...candidate, ...worse })).toBe(true)
  expect(isBetterFocus({ ...candidate, ...worse }, { ...candidate, ...better })).toBe(false)
})
