import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byPlace, ListItem, mergeSorted, tieOf } from '#build/list-item.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { sortKeyOf } from '#rendering/word-clips.ts'

interface Said {
  rank: number
  hundredths: number
  occurrenceCount: number
  clip: string
}

/** Items of few kinds, so that many are as hard as others, with ids that part late. */
const said: fc.Arbitrary<Said> = fc.record({
  rank: fc.constantFrom(0, 1, 5),
  hundredths: fc.constantFrom(0, 5, 49, 50, 100),
  occurrenceCount: fc.constantFrom(1, 2, 62, 63, 64, 65, 2 ** 31, 2 ** 32 - 1),
  clip: fc
    .tuple(fc.constantFrom('00000000-0000', '0000ffff-0000', '0000ffff-0001', 'ffffffff-ffff'), fc.nat(99))
    .map(([head, last]) => `${head}-5000-8000-${String(last).padStart(12, '0')}`),
})

/** The item in the middle of a page. */
function itemOf({ rank, hundredths, occurrenceCount, clip }: Said): ListItem {
  const json = JSON.stringify({ clip, knownShare: hundredths / 100, occurrenceCount, occurrences: [] })
  return new ListItem(Buffer.from(`{},${json},{}`), 3, 3 + json.length, rank)
}

function easiestFirst(a: Said, b: Said): number {
  return (
    a.rank - b.rank ||
    b.hundredths - a.hundredths ||
    b.occurrenceCount - a.occurrenceCount ||
    Number(a.clip > b.clip) - Number(a.clip < b.clip)
  )
}

const clips = fc.uniqueArray(said, { selector: ({ clip }) => clip, maxLength: 100 })

test('what an item is sorted by is read from its JSON', () => {
  fc.assert(
    fc.property(said, (one) => {
      const item = itemOf(one)
      const out = new ByteWriter()
      item.writeTo(out)
      expect(JSON.parse(out.view().toString())).toMatchObject({ clip: one.clip })
      expect([item.clipId(), item.tie]).toEqual([one.clip, tieOf(one.clip)])
      expect(item.sortKey).toBe(sortKeyOf(one.rank, { ...one, knownShare: one.hundredths / 100 }))
    }),
  )
})

test('items are sorted by level, knownShare, occurrenceCount and clip id', () => {
  fc.assert(
    fc.property(clips, (all) => {
      const ids = all
        .map(itemOf)
        .sort(byPlace)
        .map((item) => item.clipId())
      expect(ids).toEqual(all.toSorted(easiestFirst).map(({ clip }) => clip))
    }),
  )
})

test('two sorted lists are one', () => {
  fc.assert(
    fc.property(clips, fc.nat(100), (all, cut) => {
      const [one, other] = [all.slice(0, cut), all.slice(cut)].map((some) => some.map(itemOf).sort(byPlace))
      const ids = mergeSorted(one!, other!).map((item) => item.clipId())
      expect(ids).toEqual(all.toSorted(easiestFirst).map(({ clip }) => clip))
    }),
  )
})
