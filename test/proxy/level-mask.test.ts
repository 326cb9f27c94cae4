import { expect, test } from 'vitest'
import { levels } from '#contract/levels.ts'
import { levelMask } from '#proxy/level-mask.ts'

test('a mask has a bit for each level, A1 the lowest', () => {
  expect(levelMask([])).toBe(0)
  expect(levelMask(['A1'])).toBe(1)
  expect(levelMask(['C2'])).toBe(32)
  expect(levelMask(levels)).toBe(63)
})

test('order and repetition do not count', () => {
  expect(levelMask(['C1', 'A2', 'C1'])).toBe(levelMask(['A2', 'C1']))
})
