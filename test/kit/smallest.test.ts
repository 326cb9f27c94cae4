import fc from 'fast-check'
import { expect, test } from 'vitest'
import { smallest } from '#kit/smallest.ts'

test('returns the first items of a stable sort', () => {
  const items = fc.array(fc.record({ key: fc.nat({ max: 20 }), name: fc.nat() }), {
    maxLength: 100,
    size: 'max',
  })
  const compare = (a: { key: number }, b: { key: number }) => a.key - b.key
  fc.assert(
    fc.property(items, fc.nat({ max: 30 }), (all, count) => {
      expect(smallest(count, all, compare)).toEqual(all.toSorted(compare).slice(0, count))
    }),
    { seed: 3, numRuns: 500 },
  )
})
