import { expect, test } from 'vitest'
import { knownShare } from '#indexing/known-share.ts'

test('it is the share of tokens at or below the level', () => {
  expect(knownShare([1, 1, 1, 1, 0, 0], 'B1')).toBe(0.75)
  expect(knownShare([0, 0, 0, 0, 0, 4], 'C1')).toBe(0)
  expect(knownShare([0, 0, 0, 0, 0, 4], 'C2')).toBe(1)
})

test('two decimals, half up', () => {
  expect(knownShare([1, 7, 0, 0, 0, 0], 'A1')).toBe(0.13) // 0.125
  expect(knownShare([1, 2, 0, 0, 0, 0], 'A1')).toBe(0.33)
  expect(knownShare([2, 1, 0, 0, 0, 0], 'A1')).toBe(0.67)
  expect(knownShare([201, 199, 0, 0, 0, 0], 'A1')).toBe(0.5) // 0.5025
  expect(knownShare([203, 197, 0, 0, 0, 0], 'A1')).toBe(0.51) // 0.5075
  expect(knownShare([57, 143, 0, 0, 0, 0], 'A1')).toBe(0.29) // 0.285, which is less in binary
})

test('0 where nothing is indexed', () => {
  expect(knownShare([0, 0, 0, 0, 0, 0], 'C2')).toBe(0)
})
