import fc from 'fast-check'
import { expect, test } from 'vitest'
import { radixSort } from '#kit/radix-sort.ts'

const someNumber = fc.oneof(
  fc.nat(20),
  fc.nat(70_000),
  fc.nat(0x7fffffff),
  fc.integer({ min: 0x80000000, max: 0xffffffff }),
)

test('the numbers of a range are sorted, what stands around them stays', () => {
  fc.assert(
    fc.property(
      fc.array(someNumber, { maxLength: 400, size: 'max' }),
      fc.nat(3),
      fc.nat(3),
      (list, from, behind) => {
        const numbers = Uint32Array.from(list)
        const to = Math.max(from, list.length - behind)
        radixSort(numbers, from, to)
        const sorted = list.slice(from, to).sort((a, b) => a - b)
        expect([...numbers]).toEqual([...list.slice(0, from), ...sorted, ...list.slice(to)])
      },
    ),
    { seed: 9, numRuns: 500 },
  )
})

test('more numbers than ever before are sorted too', () => {
  const list = Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_007)
  const numbers = Uint32Array.from(list)
  radixSort(numbers, 0, list.length)
  expect([...numbers]).toEqual(list.toSorted((a, b) => a - b))
})
