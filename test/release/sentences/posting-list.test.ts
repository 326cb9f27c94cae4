import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWriter } from '#kit/byte-writer.ts'
import { noClip, PostingListReader, PostingListWriter } from '#release/sentences/posting-list.ts'

/** Positions by clip, both ascending. */
const someList = fc
  .uniqueArray(fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 31 - 1 })), { minLength: 1, maxLength: 150 })
  .chain((clips) =>
    fc.tuple(
      ...clips
        .sort((a, b) => a - b)
        .map((clip) =>
          fc
            .uniqueArray(fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 100_000 })), {
              minLength: 1,
              maxLength: 6,
            })
            .map((positions): [number, number[]] => [clip, positions.sort((a, b) => a - b)]),
        ),
    ),
  )

function written(lists: readonly (readonly [number, number[]])[][]): { bytes: Uint8Array; at: number }[] {
  const out = new ByteWriter()
  const writer = new PostingListWriter(out)
  const starts = lists.map((list, i) => {
    const from = out.length
    for (const [clip, positions] of list) for (const position of positions) writer.add(clip, position)
    expect(writer.end((term) => term.byte(i))).toBe(list.length > 0)
    return from
  })
  return starts.map((from, i) => ({ bytes: out.view().subarray(from, starts[i + 1] ?? out.length), at: 1 }))
}

function positionsOf(reader: PostingListReader): number[] {
  const positions: number[] = []
  const end = reader.positions(positions, 0)
  expect(reader.positionCount()).toBe(end)
  return positions.slice(0, end)
}

test('a list comes back clip by clip, and each behind another', () => {
  fc.assert(
    fc.property(fc.array(someList, { minLength: 1, maxLength: 3 }), (lists) => {
      for (const [i, { bytes, at }] of written(lists).entries()) {
        const reader = new PostingListReader(bytes, at)
        expect(reader.clipCount).toBe(lists[i]!.length)
        const read: [number, number[]][] = []
        while (reader.next() !== noClip) read.push([reader.clip, positionsOf(reader)])
        expect(read).toEqual(lists[i])
        expect(reader.next()).toBe(noClip)
      }
    }),
    { seed: 7, numRuns: 200 },
  )
})

test('passing over clips comes to the first that is not before the one wanted', () => {
  const wanted = fc.array(
    fc.tuple(fc.boolean(), fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 31 - 1 }))),
  )
  fc.assert(
    fc.property(someList, wanted, (list, steps) => {
      const [{ bytes, at }] = written([list]) as [{ bytes: Uint8Array; at: number }]
      const reader = new PostingListReader(bytes, at)
      let place = -1
      for (const [isNext, clip] of steps) {
        if (isNext) place = Math.min(place + 1, list.length)
        else while (place < list.length && (list[place]?.[0] ?? -1) < clip) place++
        const found = isNext ? reader.next() : reader.skipTo(clip)
        expect(found).toBe(place === list.length ? noClip : list[place]![0])
        if (place < list.length) expect(positionsOf(reader)).toEqual(list[place]![1])
      }
    }),
    { seed: 8, numRuns: 500 },
  )
})
