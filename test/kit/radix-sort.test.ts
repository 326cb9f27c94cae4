import fc from 'fast-check'
import { expect, test } from 'vitest'
import { radixSort } from '#kit/radix-sort.ts'

const someNumber = fc.oneof(
  fc.nat(20),
  fc.nat(70_000),
  fc.nat(0x7fffffff),
  fc.integer({ min: 0x80000000, max: 0xffffffff }),
)

test('the first numbers are sorted, what stands behind them stays', () => {
  fc.assert(
    fc.property(fc.array(someNumber, { maxLength: 400, size: 'max' }), fc.nat(3), (list, behind) => {
      const numbers = Uint32Array.from(list)
      const count = Math.max(0, list.length - behind)
      radixSort(numbers, count)
      const right = [...list.slice(0, count).sort((a, b) => a - b), ...list.slice(count)]
      expect([...numbers]).toEqual(right)
    }),
    { seed: 9, numRuns: 500 },
  )
})

test('more numbers than ever before are sorted too', () => {
  const list = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_007)
  const numbers = Uint32Array.from(list)
  radixSort(numbers, list.length)
  expect([...numbers]).toEqual(list.toSorted((a, b) => a - b))
})
