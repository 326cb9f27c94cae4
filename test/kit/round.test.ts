import { expect, test } from 'vitest'
import { roundTime, share } from '#kit/round.ts'

test.each([
  [1, 8, 2, 0.13],
  [1, 200, 2, 0.01],
  [1, 201, 2, 0],
  [2, 3, 4, 0.6667],
  [5, 5, 2, 1],
  [0, 5, 2, 0],
  [0, 0, 4, 0],
])('the share %i of %i with %i decimals is %d', (part, whole, decimals, expected) => {
  expect(share(part, whole, decimals)).toBe(expected)
})

test('rounds a share up at every half, although many halves are not binary fractions', () => {
  for (let part = 1; part < 200; part += 2) expect(share(part, 200, 2)).toBe((part + 1) / 2 / 100)
})

test('a time has at most 3 decimals', () => {
  expect([1.23456, 0.1 + 0.2, 12].map(roundTime)).toEqual([1.235, 0.3, 12])
})
