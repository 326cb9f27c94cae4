import { describe, expect, test } from 'vitest'
import { roundTime, share } from '#kit/round.ts'

describe('a share', () => {
  test.each([
    [1, 8, 2, 0.13],
    [3, 8, 2, 0.38],
    [1, 200, 2, 0.01],
    [1, 201, 2, 0],
    [29, 200, 2, 0.15],
    [2, 3, 4, 0.6667],
    [1, 3, 4, 0.3333],
    [5, 5, 2, 1],
    [0, 5, 2, 0],
  ])('%i of %i with %i decimals is %d: halves go up', (part, whole, decimals, expected) => {
    expect(share(part, whole, decimals)).toBe(expected)
  })

  test('of nothing is 0', () => {
    expect(share(0, 0, 4)).toBe(0)
  })

  test('goes up at every half, though many a half is no binary fraction', () => {
    for (let part = 1; part < 200; part += 2) expect(share(part, 200, 2)).toBe((part + 1) / 2 / 100)
  })
})

test('a time has at most 3 decimals', () => {
  expect(roundTime(1.23456)).toBe(1.235)
  expect(roundTime(0.1 + 0.2)).toBe(0.3)
  expect(roundTime(12)).toBe(12)
})
