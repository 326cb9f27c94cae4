import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortPairs } from '#kit/sort-pairs.ts'

const some32Bits = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0xfffffff0, max: 0xffffffff }),
  fc.integer({ min: 0, max: 0xffffffff }),
)

test('pairs are sorted by the first, then by the second, as unsigned numbers', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(some32Bits, some32Bits)), (pairs) => {
      const [firsts, seconds] = sortPairs(Uint32Array.from(pairs.flatMap(([a, b]) => [b, a])))
      const right = pairs.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
      expect(Array.from(firsts, (first, i) => [first, seconds[i]])).toEqual(right)
    }),
    { seed: 5, numRuns: 200 },
  )
})
