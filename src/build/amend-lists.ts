import { levelRank, type Level } from '#contract/levels.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { textHash } from '#kit/text-hash.ts'
import { packUuid, uuidBytes } from '#kit/uuid.ts'
import { baseCountOf, numberInBase, type ClipList, type Since } from '#release/lists/clip-list.ts'
import { PostingReader, sharesOf, type Postings } from '#release/postings/layout.ts'
import { easier, hardness } from '#rendering/word-clips.ts'
import { tieOf } from './item-order.ts'
import type { OpenedBefore } from './release-before.ts'
import { SoughtItems, type SoughtItem } from './sought-items.ts'

/** A clip that came to the index or left it, with the words said in it. */
export interface IndexedEntry {
  clipId: string
  language: string
  level: Level
  said: Postings
}

/** What becomes of a list whose base stays: all but the pages of its later items. */
export type Amended = Pick<ClipList, 'clipsByLevel'> & Omit<Since, 'later'>

/** A base of fewer items is written anew: that is one file, as what is later would be. */
const fewItems = 32

/**
 * How many items are sought in lists at most, each some hundred bytes in memory: lists beyond are
 * written anew.
 */
export const mostSought = 1_000_000

/**
 * Whether so many changes make a list due: it is then written anew, as one base. That is so where
 * what is later and what is gone come to an eighth of the base; of some words a sixteenth, of
 * others three, so that they do not all come due in one night.
 */
export function isDue(wordId: number, list: ClipList, changes: number): boolean {
  const [later, gone] = [list.since?.places.length ?? 0, list.since?.gone.length ?? 0]
  const base = baseCountOf(list)
  const share = (1 + (2 * textHash(String(wordId))) / 2 ** 32) / 16
  return base < fewItems || later + gone + changes > base * share
}

/**
 * Tells where in their lists clips stand that came, and stood that went, without reading the lists:
 * the postings of the release before tell of every item what it is sorted by, and all are gone
 * through once.
 */
export function amendLists(
  wordIds: ReadonlySet<number>,
  before: OpenedBefore,
  came: readonly IndexedEntry[],
  went: readonly IndexedEntry[],
): Map<number, Amended> {
  const { words } = before
  const levels = new Map([...wordIds].map((wordId) => [wordId, words.levels[words.find(wordId)]!]))
  const itemsByWord = new Map([...wordIds].map((wordId): [number, SoughtItem[]] => [wordId, []]))
  const seek = ({ clipId, level, said }: IndexedEntry, isNew: boolean) => {
    const rank = levelRank(level)
    const hardest = hardestByLevel(rank, said)
    const posting = new PostingReader().begin(said)
    while (posting.next()) {
      const { wordId, occurrenceCount } = posting
      const wordLevel = levels.get(wordId)
      if (wordLevel === undefined) continue
      const hardness = easier(hardest[wordLevel]!, occurrenceCount)
      itemsByWord.get(wordId)!.push({ hardness, tie: tieOf(clipId), clipId, rank, isNew })
    }
  }
  for (const clip of came) seek(clip, true)
  for (const clip of went) seek(clip, false)
  const sought = new SoughtItems(itemsByWord)
  const levelsByNumber = Uint8Array.from(itemsByWord.keys(), (wordId) => levels.get(wordId)!)
  showAll(sought, levelsByNumber, before)
  return new Map(
    [...wordIds].map((wordId) => [
      wordId,
      amend(words.list(words.find(wordId))!, [...sought.places(wordId)]),
    ]),
  )
}

/**
 * Shows all items of the release before; `levels` are those of the words by number. Of a corpus
 * they are millions: this is most of what amending costs.
 */
function showAll(
  sought: SoughtItems,
  levels: Uint8Array,
  { clips, postings }: Pick<OpenedBefore, 'clips' | 'postings'>,
): void {
  const posting = new PostingReader()
  for (const row of clips.liveRows()) {
    const { language, ordinal } = clips.placeOf(row)
    const said = postings.postings(language, ordinal)
    const rank = clips.level(row)
    const hardest = hardestByLevel(rank, said)
    const clipId = clips.clipId(row)
    const tie = tieOf(clipId)
    posting.begin(said)
    while (posting.next()) {
      const number = sought.numberOf(posting.wordId)
      if (number < 0) continue
      sought.show(number, rank, easier(hardest[levels[number]!]!, posting.occurrenceCount), tie, clipId)
    }
  }
}

/**
 * By the level of a word, the hardness of an item of the clip if the word were not said in it at
 * all.
 */
function hardestByLevel(rank: number, said: Postings): number[] {
  return Array.from(sharesOf(said), (share) =>
    hardness(rank, { knownShare: share / 100, occurrenceCount: 0 }),
  )
}

/**
 * What becomes of a list, by where the items that come would stand in it, and those that go stand.
 */
function amend(
  { clipsByLevel, since }: ClipList,
  items: readonly (SoughtItem & { place: number })[],
): Amended {
  const [places, gone] = [since?.places ?? new Uint32Array(), since?.gone ?? new Uint32Array()]
  const came = items.filter(({ isNew }) => isNew).map(({ place }) => place)
  const went = items.filter(({ isNew }) => !isNew).map(({ place }) => place)
  // In a sorted list, the first place that is not below another counts those that are.
  const stayed = places.filter((place) => went[lowerBound(went, place)] !== place)
  const wentFromBase = items.filter(
    ({ isNew, place }) => !isNew && places[lowerBound(places, place)] !== place,
  )
  const allGone = [
    ...Array.from(gone, (number, i) => ({
      number,
      id: since!.goneIds.subarray(i * uuidBytes, (i + 1) * uuidBytes),
    })),
    ...wentFromBase.map(({ place, clipId }) => ({
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
      ...Array.from(stayed, (place) => place - lowerBound(went, place) + lowerBound(came, place + 1)),
      ...came.map((place, i) => place - lowerBound(went, place) + i),
    ]).sort(),
    gone: Uint32Array.from(allGone, ({ number }) => number),
    goneIds: joinBytes(allGone.map(({ id }) => id)),
  }
}
