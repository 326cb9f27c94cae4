import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWriter } from '#kit/byte-writer.ts'
import { placeOf, readPostingList, type PostingList } from '#release/sentences/posting-list.ts'
import { PostingListWriter } from '#release/sentences/posting-list-writer.ts'

const somePosition = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 100_000 }), fc.nat({ max: 2 ** 31 - 1 }))
const someList = fc
  .uniqueArray(somePosition, { minLength: 1, maxLength: 150 })
  .map((positions) => positions.sort((a, b) => a - b))

function written(lists: readonly (readonly number[])[]): { bytes: Uint8Array; at: number }[] {
  const out = new ByteWriter()
  const writer = new PostingListWriter(out)
  const starts = lists.map((list, i) => {
    const from = out.length
    for (const position of list) writer.add(position)
    expect(writer.end((term) => term.byte(i))).toBe(list.length > 0)
    return from
  })
  return starts.map((from, i) => ({ bytes: out.view().subarray(from, starts[i + 1] ?? out.length), at: 1 }))
}

function read(bytes: Uint8Array, at: number): { list: PostingList; work: number[] } {
  const reading = readPostingList(bytes, at)
  const work: number[] = []
  let step = reading.next()
  for (; !step.done; step = reading.next()) work.push(step.value)
  return { list: step.value, work }
}

test('lists come back as they were written, one behind another', () => {
  fc.assert(
    fc.property(fc.array(someList, { minLength: 1, maxLength: 3 }), (lists) => {
      for (const [i, { bytes, at }] of written(lists).entries())
        expect([...read(bytes, at).list]).toEqual(lists[i])
    }),
    { seed: 7, numRuns: 200 },
  )
})

test('known bytes: the number of positions, then the step to each', () => {
  const [list] = written([[0, 5, 133, 261, 16_645]])
  expect([...list!.bytes]).toEqual([0, 5, 0, 5, 0x80, 1, 0x80, 1, 0x80, 0x80, 1])
})

test('an empty list is not written', () => {
  expect(written([[], [1]]).map(({ bytes }) => bytes.length)).toEqual([0, 3])
})

test('reading a list of 1,200,000 positions yields again and again', () => {
  const positions = Array.from({ length: 1_200_000 }, (_, i) => i * 100)
  const [{ bytes, at }] = written([positions]) as [{ bytes: Uint8Array; at: number }]
  const { list, work } = read(bytes, at)
  expect(list).toEqual(Int32Array.from(positions))
  expect(work.length).toBeGreaterThanOrEqual(10)
  expect(work.reduce((sum, units) => sum + units, 0)).toBe(1_200_000)
})

test('the place of a number is the first one from a place on that is not below it', () => {
  fc.assert(
    fc.property(someList, somePosition, fc.nat({ max: 150 }), (list, position, offset) => {
      const from = Math.min(offset, list.length)
      const found = list.findIndex((each, i) => i >= from && each >= position)
      expect(placeOf(position, Int32Array.from(list), from)).toBe(found < 0 ? list.length : found)
    }),
    { seed: 8, numRuns: 500 },
  )
})
