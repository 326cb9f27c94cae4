import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteWriter } from '#kit/byte-writer.ts'
import { placeOf, readPostingList, type PostingList } from '#release/sentences/posting-list.ts'
import { PostingListWriter } from '#release/sentences/posting-list-writer.ts'

const someClip = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 2 ** 30 - 1 }))
const ascending = (numbers: number[]) => numbers.sort((a, b) => a - b)

/** Positions by clip, both ascending. */
const someList = fc
  .uniqueArray(someClip, { minLength: 1, maxLength: 150 })
  .chain((clips) => fc.tuple(...ascending(clips).map((clip) => fc.tuple(fc.constant(clip), somePositions))))
const somePositions = fc
  .uniqueArray(fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 100_000 })), { minLength: 1, maxLength: 6 })
  .map(ascending)

type Written = readonly (readonly [clip: number, positions: number[]])[]

function written(lists: readonly Written[]): { bytes: Uint8Array; at: number }[] {
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

function read(bytes: Uint8Array, at: number): { list: PostingList; turns: number } {
  const reading = readPostingList(bytes, at)
  let turns = 1
  let step = reading.next()
  for (; !step.done; step = reading.next()) turns++
  return { list: step.value, turns }
}

function clipByClip({ clips, positionsAt, positions }: PostingList): [number, number[]][] {
  return Array.from(clips, (clip, i) => [clip, [...positions.subarray(positionsAt[i], positionsAt[i + 1])]])
}

test('lists come back as they were written, one behind another', () => {
  fc.assert(
    fc.property(fc.array(someList, { minLength: 1, maxLength: 3 }), (lists) => {
      for (const [i, { bytes, at }] of written(lists).entries())
        expect(clipByClip(read(bytes, at).list)).toEqual(lists[i])
    }),
    { seed: 7, numRuns: 200 },
  )
})

test('reading a list of 2 MB yields again and again', () => {
  const clips = Array.from({ length: 400_000 }, (_, clip): [number, number[]] => [clip, [1, 2, 3]])
  const [{ bytes, at }] = written([clips]) as [{ bytes: Uint8Array; at: number }]
  const { list, turns } = read(bytes, at)
  expect(list.clips).toHaveLength(400_000)
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('the place of a clip is the first one from a place on that is not before it', () => {
  fc.assert(
    fc.property(someList, someClip, fc.nat({ max: 150 }), (clips, clip, offset) => {
      const [{ bytes, at }] = written([clips]) as [{ bytes: Uint8Array; at: number }]
      const from = Math.min(offset, clips.length)
      const found = clips.findIndex(([each], i) => i >= from && each >= clip)
      expect(placeOf(clip, read(bytes, at).list, from)).toBe(found < 0 ? clips.length : found)
    }),
    { seed: 8, numRuns: 500 },
  )
})
