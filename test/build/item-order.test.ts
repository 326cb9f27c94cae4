import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeSorted, sortItems, tieOf, type Item } from '#build/item-order.ts'
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
  hundredths: fc.constantFrom(0, 49, 50, 100),
  occurrenceCount: fc.constantFrom(1, 2, 62, 63, 64, 65, 2 ** 31, 2 ** 32 - 1),
  clip: fc
    .tuple(fc.constantFrom('00000000-0000', '0000ffff-0000', '0000ffff-0001', 'ffffffff-ffff'), fc.nat(99))
    .map(([head, last]) => `${head}-5000-8000-${String(last).padStart(12, '0')}`),
})

function itemOf({ rank, hundredths, occurrenceCount, clip }: Said): Item & { of: Said } {
  return {
    of: { rank, hundredths, occurrenceCount, clip },
    sortKey: sortKeyOf(rank, { knownShare: hundredths / 100, occurrenceCount }),
    tie: tieOf(clip),
    clipId: () => clip,
    writeTo: () => {},
  }
}

function easiestFirst(a: Said, b: Said): number {
  return (
    a.rank - b.rank ||
    b.hundredths - a.hundredths ||
    b.occurrenceCount - a.occurrenceCount ||
    Number(a.clip > b.clip) - Number(a.clip < b.clip)
  )
}

/** Some are few enough to be compared, the others are sorted by their beginnings. */
const clips = fc.oneof(
  ...[0, 80].map((minLength) =>
    fc.uniqueArray(said, { selector: ({ clip }) => clip, minLength, maxLength: 100 }),
  ),
)

test('items are sorted by level, knownShare, occurrenceCount and clip id', () => {
  fc.assert(
    fc.property(clips, (all) => {
      const sorted = sortItems(all.map(itemOf)).map(({ of }) => of)
      expect(sorted).toEqual(all.toSorted(easiestFirst))
    }),
  )
})

test('two sorted lists are one', () => {
  fc.assert(
    fc.property(clips, fc.nat(100), (all, cut) => {
      const [one, other] = [all.slice(0, cut), all.slice(cut)].map((some) => sortItems(some.map(itemOf)))
      const ids = mergeSorted(one!, other!).map((item) => item.clipId())
      expect(ids).toEqual(all.toSorted(easiestFirst).map(({ clip }) => clip))
    }),
  )
})
