import { expect, test } from 'vitest'
import { IdNumbers } from '#kit/id-numbers.ts'

test.each([
  ['close together', [7, 0, 3]],
  ['far apart', [4_000_000_000, 5, 0]],
  ['of which there are none', []],
])('finds the numbers of ids that are %s', (_, ids) => {
  const numbers = new IdNumbers(ids)
  expect(ids.map((id) => numbers.find(id))).toEqual(ids.map((_, i) => i))
  for (const other of [1, 8, 100, 4_000_000_001]) expect(numbers.find(other)).toBe(-1)
})
