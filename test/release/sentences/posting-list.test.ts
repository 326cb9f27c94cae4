import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packPostingList, placeOf, readPostingList, unite } from '#release/sentences/posting-list.ts'

const somePosition = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 100_000 }), fc.nat({ max: 2 ** 31 - 1 }))
const someList = fc
  .uniqueArray(somePosition, { minLength: 1, maxLength: 150 })
  .map((positions) => positions.sort((a, b) => a - b))

/** Returns the bytes of some lists end to end, and the start of each. */
function written(lists: readonly (readonly number[])[]): { bytes: Uint8Array; starts: number[] } {
  const packed = lists.map(packPostingList)
  const starts = packed.map((_, i) => Buffer.concat(packed.slice(0, i)).length)
  return { bytes: Buffer.concat(packed), starts }
}

function run<Result>(reading: Generator<number, Result>): { result: Result; work: number[] } {
  const work: number[] = []
  let step = reading.next()
  for (; !step.done; step = reading.next()) work.push(step.value)
  return { result: step.value, work }
}

test('lists read as they were written, one after another', () => {
  fc.assert(
    fc.property(fc.array(someList, { minLength: 1, maxLength: 3 }), (lists) => {
      const { bytes, starts } = written(lists)
      for (const [i, from] of starts.entries())
        expect([...run(readPostingList(bytes, from)).result]).toEqual(lists[i])
    }),
    { seed: 7, numRuns: 200 },
  )
})

test('known bytes: the number of positions, then the differences', () => {
  expect([...written([[0, 5, 133, 261, 16_645]]).bytes]).toEqual([5, 0, 5, 0x80, 1, 0x80, 1, 0x80, 0x80, 1])
})

test('reading a list of 1,200,000 positions yields repeatedly', () => {
  const positions = Array.from({ length: 1_200_000 }, (_, i) => i * 100)
  const { result, work } = run(readPostingList(written([positions]).bytes, 0))
  expect(result).toEqual(Int32Array.from(positions))
  expect(work.length).toBeGreaterThanOrEqual(10)
  expect(work.reduce((sum, units) => sum + units, 0)).toBe(1_200_000)
})

test('a union has every position once', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(someList, fc.constant([])), { maxLength: 4 }), (lists) => {
      const expected = [...new Set(lists.flat())].sort((a, b) => a - b)
      expect([...run(unite(lists.map((list) => Int32Array.from(list)))).result]).toEqual(expected)
    }),
    { seed: 9, numRuns: 300 },
  )
})

test('uniting two lists of 600,000 positions yields repeatedly', () => {
  const list = (first: number) => Int32Array.from({ length: 600_000 }, (_, i) => first + i * 2)
  const { result, work } = run(unite([list(0), list(1)]))
  expect(result).toEqual(Int32Array.from({ length: 1_200_000 }, (_, i) => i))
  expect(work.length).toBeGreaterThanOrEqual(10)
})

test('finds the first number from a position on that is not below another', () => {
  fc.assert(
    fc.property(someList, somePosition, fc.nat({ max: 150 }), (list, position, offset) => {
      const from = Math.min(offset, list.length)
      const found = list.findIndex((each, i) => i >= from && each >= position)
      expect(placeOf(position, Int32Array.from(list), from)).toBe(found < 0 ? list.length : found)
    }),
    { seed: 8, numRuns: 500 },
  )
})
