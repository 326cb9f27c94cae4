import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ItemPlaces, type ItemToPlace } from '#build/item-places.ts'
import { tieOf } from '#build/list-items.ts'
import { sortKeyOf } from '#rendering/word-clips.ts'

const clipIdOf = (n: number) => `${String(n % 7).repeat(8)}-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Items of one list, each of another clip; few values, so that many are alike. */
const someItems = fc.uniqueArray(
  fc.record({
    wordId: fc.constantFrom(3, 900),
    clip: fc.nat(60),
    rank: fc.nat(2),
    knownShare: fc.constantFrom(0.5, 1),
    occurrenceCount: fc.integer({ min: 1, max: 2 }),
    isSought: fc.boolean(),
    isNew: fc.boolean(),
  }),
  { selector: ({ wordId, clip }) => `${wordId} ${clip}`, maxLength: 60 },
)

function byPlace(a: ItemToPlace, b: ItemToPlace): number {
  return a.sortKey - b.sortKey || (a.clipId < b.clipId ? -1 : 1)
}

test('sought items are placed where sorting the whole list would put them', () => {
  fc.assert(
    fc.property(someItems, (all) => {
      const items = all.map(({ rank, clip, isNew, ...rest }) => {
        const clipId = clipIdOf(clip)
        const item = { sortKey: sortKeyOf(rank, rest), tie: tieOf(clipId), clipId, rank, isNew }
        return { ...rest, item }
      })
      const ofWord = (wordId: number) => items.filter((each) => each.wordId === wordId)
      const sought = new ItemPlaces(
        new Map(
          [3, 900].map((wordId) => [
            wordId,
            ofWord(wordId)
              .filter(({ isSought }) => isSought)
              .map(({ item }) => item),
          ]),
        ),
      )
      // Every item that is in the lists of the release before is shown: all but the new ones.
      const isInList = ({ isSought, item }: (typeof items)[number]) => !isSought || !item.isNew
      for (const { wordId, item } of items.filter(isInList)) {
        const { rank, sortKey, tie, clipId } = item
        sought.count(sought.numberOf(wordId), rank, sortKey, tie, clipId)
      }
      for (const wordId of [3, 900]) {
        const list = ofWord(wordId)
          .filter(isInList)
          .map(({ item }) => item)
        const expected = ofWord(wordId)
          .filter(({ isSought }) => isSought)
          .map(({ item }) => ({
            ...item,
            place: list.filter((other) => byPlace(other, item) < 0 && other !== item).length,
          }))
          .sort(byPlace)
        expect([...sought.of(wordId)]).toEqual(expected)
      }
    }),
    { seed: 17, numRuns: 200 },
  )
})

test('a word of which nothing is sought has no number', () => {
  expect(new ItemPlaces(new Map([[3, []]])).numberOf(4)).toBe(-1)
})
