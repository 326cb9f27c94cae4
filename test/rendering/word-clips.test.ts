import { expect, test } from 'vitest'
import { sortKeyOf, levelRankOf } from '#rendering/word-clips.ts'

test('items come easiest first: level, knownShare, occurrenceCount', () => {
  const right = [
    sortKeyOf(0, { knownShare: 0.1, occurrenceCount: 1 }),
    sortKeyOf(1, { knownShare: 0.9, occurrenceCount: 1 }),
    sortKeyOf(1, { knownShare: 0.5, occurrenceCount: 3 }),
    sortKeyOf(1, { knownShare: 0.5, occurrenceCount: 2 }),
    sortKeyOf(5, { knownShare: 0, occurrenceCount: 1 }),
  ]
  expect(right.toReversed().sort((a, b) => a - b)).toEqual(right)
  expect(right.map(levelRankOf)).toEqual([0, 1, 1, 1, 5])
})
