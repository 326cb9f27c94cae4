import { expect, test } from 'vitest'
import { isBetterFocus, type Candidate } from '#contract/focus-word.ts'

const said = (wordId: number, occurrenceCount: number, clipCount: number) => ({
  wordId,
  occurrenceCount,
  clipCount,
})

/** The one that no other is worthier than. */
function focusWord(candidates: Candidate[]): Candidate | undefined {
  return candidates.find((one) => candidates.every((other) => !isBetterFocus(other, one)))
}

test('a word in 3 clips goes before one in 2 that is said more often', () => {
  expect(focusWord([said(1, 9, 2), said(2, 1, 3)])?.wordId).toBe(2)
})

test('then the one said most often in the clip', () => {
  expect(focusWord([said(1, 1, 3), said(2, 2, 9)])?.wordId).toBe(2)
})

test('then the one in fewer clips', () => {
  expect(focusWord([said(1, 2, 4), said(2, 2, 3)])?.wordId).toBe(2)
})

test('then the lower wordId', () => {
  expect(focusWord([said(2, 2, 3), said(1, 2, 3)])?.wordId).toBe(1)
})

test('all in fewer than 3 clips: the same order among them', () => {
  expect(focusWord([said(1, 1, 1), said(2, 2, 2), said(3, 2, 1)])?.wordId).toBe(3)
})

test('none is worthier than itself', () => {
  expect(isBetterFocus(said(1, 1, 1), said(1, 1, 1))).toBe(false)
})
