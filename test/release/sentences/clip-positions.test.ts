import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClipPositions } from '#release/sentences/clip-positions.ts'

test('every position is found in its clip, however long clips are', () => {
  const sizes = fc.array(fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 1_000 })), { maxLength: 40 })
  fc.assert(
    fc.property(sizes, fc.nat({ max: 500 }), (clips, first) => {
      const begins = [first]
      for (const size of clips) begins.push(begins.at(-1)! + size)
      const positions = new ClipPositions(Int32Array.from(begins))
      expect(positions.end).toBe(begins.at(-1))
      const expected = clips.flatMap((size, clip) => Array<number>(size).fill(clip))
      expect(expected.map((_, i) => positions.clipAt(first + i))).toEqual(expected)
    }),
  )
})
