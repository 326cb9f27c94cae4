import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clipIdAt, inMemory, ListItems, tieOf, type ItemSource } from '#build/list-items.ts'
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

/** Each item in the middle of a page. */
function itemsOf(all: readonly Said[], sourceOf: (bytes: Buffer) => ItemSource = inMemory): ListItems {
  const items = new ListItems()
  for (const { rank, hundredths, occurrenceCount, clip } of all) {
    const json = JSON.stringify({ clip, knownShare: hundredths / 100, occurrenceCount, occurrences: [] })
    const bytes = Buffer.from(`{},${json},{}`)
    items.add(sourceOf(bytes), 3, bytes, 3, 3 + json.length, rank)
  }
  return items
}

function jsonOf(items: ListItems, number: number): string {
  const out = new ByteWriter()
  items.writeTo(out, number)
  return out.view().toString()
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
      const items = itemsOf([one])
      const json = jsonOf(items, 0)
      expect(JSON.parse(json)).toMatchObject({ clip: one.clip })
      expect(clipIdAt(Buffer.from(`,${json}`), 1)).toBe(one.clip)
      expect(items.sortKey(0)).toBe(sortKeyOf(one.rank, { ...one, knownShare: one.hundredths / 100 }))
    }),
  )
})

test('items are sorted by level, knownShare, occurrenceCount and clip id', () => {
  fc.assert(
    fc.property(clips, (all) => {
      const items = itemsOf(all)
      const ids = items.sorted().map((number) => clipIdAt(Buffer.from(jsonOf(items, number)), 0))
      expect(ids).toEqual(all.toSorted(easiestFirst).map(({ clip }) => clip))
    }),
  )
})

test('ids are read only to order items whose sort keys and ties are equal', () => {
  const unreadable: ItemSource = {
    copyTo: () => {
      throw new Error('read')
    },
  }
  const differ = fc.uniqueArray(said, { selector: ({ clip }) => tieOf(clip), maxLength: 100 })
  fc.assert(
    fc.property(differ, (all) => {
      const inOrder = itemsOf(all, () => unreadable).sorted()
      expect(inOrder.map((number) => all[number])).toEqual(all.toSorted(easiestFirst))
    }),
  )
})
