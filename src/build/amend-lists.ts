import { levelRank, type Level } from '#contract/levels.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { textHash } from '#kit/text-hash.ts'
import { packUuid, uuidBytes } from '#kit/uuid.ts'
import { baseCountOf, numberInBase, type ClipList, type Since } from '#release/lists/clip-list.ts'
import { PostingReader, sharesOf, type Postings } from '#release/postings/layout.ts'
import { sortKeyOf, withOccurrences } from '#rendering/word-clips.ts'
import { tieOf } from './list-items.ts'
import type { IndexTables } from '#tree/index-tables.ts'
import { ItemPlaces, type ItemToPlace } from './item-places.ts'

/** A clip that is added to the index or removed from it, with the words said in it. */
export interface IndexedEntry {
  clipId: string
  language: string
  level: Level
  said: Postings
}

/** A list whose base stays, without the pages of its later items. */
export type Amended = Pick<ClipList, 'clipsByLevel'> & Omit<Since, 'later'>

/** A smaller base is written again: it is one file, as its later items would be. */
const fewItems = 32

/**
 * At most this many items are placed, each of some hundred bytes; further lists are written again.
 */
export const maxPlaced = 1_000_000

/**
 * Whether a list with this many changes is written again as one base: when what was added to and
 * deleted from the base comes to an eighth of it. The share is a sixteenth for some words and three
 * for others, so that they do not all come due in one build.
 */
export function isDue(wordId: number, list: ClipList, changes: number): boolean {
  const [later, gone] = [list.since?.places.length ?? 0, list.since?.gone.length ?? 0]
  const base = baseCountOf(list)
  const share = (1 + (2 * textHash(String(wordId))) / 2 ** 32) / 16
  return base < fewItems || later + gone + changes > base * share
}

/**
 * Amends lists without reading them: finds where the added clips belong and where the removed ones
 * stand. The postings of the previous release hold what every item is sorted by, and are read once.
 */
export function amendLists(
  wordIds: ReadonlySet<number>,
  before: IndexTables,
  added: readonly IndexedEntry[],
  removed: readonly IndexedEntry[],
): Map<number, Amended> {
  const { words } = before
  const levels = new Map([...wordIds].map((wordId) => [wordId, words.levels[words.find(wordId)]!]))
  const itemsByWord = new Map([...wordIds].map((wordId): [number, ItemToPlace[]] => [wordId, []]))
  const add = ({ clipId, level, said }: IndexedEntry, isNew: boolean) => {
    const rank = levelRank(level)
    const baseKeys = keysByLevel(rank, said)
    const posting = new PostingReader().begin(said)
    while (posting.next()) {
      const { wordId, occurrenceCount } = posting
      const wordLevel = levels.get(wordId)
      if (wordLevel === undefined) continue
      const sortKey = withOccurrences(baseKeys[wordLevel]!, occurrenceCount)
      itemsByWord.get(wordId)!.push({ sortKey, tie: tieOf(clipId), clipId, rank, isNew })
    }
  }
  for (const clip of added) add(clip, true)
  for (const clip of removed) add(clip, false)
  const places = new ItemPlaces(itemsByWord)
  const levelsByNumber = Uint8Array.from(itemsByWord.keys(), (wordId) => levels.get(wordId)!)
  countAll(places, levelsByNumber, before)
  return new Map(
    [...wordIds].map((wordId) => [wordId, amend(words.list(words.find(wordId))!, [...places.of(wordId)])]),
  )
}

/**
 * Counts all items of the previous release, millions in a large corpus: most of what amending
 * costs. `levels` are those of the words by number.
 */
function countAll(
  places: ItemPlaces,
  levels: Uint8Array,
  { clips, postings }: Pick<IndexTables, 'clips' | 'postings'>,
): void {
  const posting = new PostingReader()
  for (const row of clips.liveRows()) {
    const { language, ordinal } = clips.placeOf(row)
    const said = postings.postings(language, ordinal)
    const rank = clips.level(row)
    const baseKeys = keysByLevel(rank, said)
    const clipId = clips.clipId(row)
    const tie = tieOf(clipId)
    posting.begin(said)
    while (posting.next()) {
      const number = places.numberOf(posting.wordId)
      if (number < 0) continue
      places.count(
        number,
        rank,
        withOccurrences(baseKeys[levels[number]!]!, posting.occurrenceCount),
        tie,
        clipId,
      )
    }
  }
}

/** By the level of a word, the sort key of an item of the clip without occurrences. */
function keysByLevel(rank: number, said: Postings): number[] {
  return Array.from(sharesOf(said), (share) =>
    sortKeyOf(rank, { knownShare: share / 100, occurrenceCount: 0 }),
  )
}

/**
 * Amends a list. `items` are the added ones, with where they belong, and the removed ones, with
 * where they stand.
 */
function amend(
  { clipsByLevel, since }: ClipList,
  items: readonly (ItemToPlace & { place: number })[],
): Amended {
  const [places, gone] = [since?.places ?? new Uint32Array(), since?.gone ?? new Uint32Array()]
  const added = items.filter(({ isNew }) => isNew).map(({ place }) => place)
  const removed = items.filter(({ isNew }) => !isNew).map(({ place }) => place)
  // In a sorted list, the lower bound of a place is how many places are below it.
  const stayed = places.filter((place) => removed[lowerBound(removed, place)] !== place)
  const removedFromBase = items.filter(
    ({ isNew, place }) => !isNew && places[lowerBound(places, place)] !== place,
  )
  const allGone = [
    ...Array.from(gone, (number, i) => ({
      number,
      id: since!.goneIds.subarray(i * uuidBytes, (i + 1) * uuidBytes),
    })),
    ...removedFromBase.map(({ place, clipId }) => ({
      number: numberInBase(place - lowerBound(places, place), gone),
      id: packUuid(clipId),
    })),
  ].sort((a, b) => a.number - b.number)
  return {
    clipsByLevel: clipsByLevel.map((count, rank) => {
      const changes = items.filter((item) => item.rank === rank).map(({ isNew }) => (isNew ? 1 : -1))
      return changes.reduce((sum, change) => sum + change, count)
    }),
    places: Uint32Array.from([
      ...Array.from(stayed, (place) => place - lowerBound(removed, place) + lowerBound(added, place + 1)),
      ...added.map((place, i) => place - lowerBound(removed, place) + i),
    ]).sort(),
    gone: Uint32Array.from(allGone, ({ number }) => number),
    goneIds: joinBytes(allGone.map(({ id }) => id)),
  }
}
