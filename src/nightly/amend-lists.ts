import { levelRank, type Level } from '#contract/levels.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { textHash } from '#kit/text-hash.ts'
import { clipCountOf, numberInBase, type ClipList, type Merging } from '#release/clip-list.ts'
import { eachPosting, sharesOf, type Postings } from '#release/postings-table.ts'
import { hardness } from '#rendering/word-clips.ts'
import { tieOf } from './item-order.ts'
import type { OpenedBefore } from './release-before.ts'

/** A clip that came to the index or left it, with the words said in it. */
export interface IndexedEntry {
  clipId: string
  language: string
  level: Level
  said: Postings
}

/** What becomes of a list whose base stays: all but the pages of its later items. */
export type Amended = Pick<ClipList, 'clipsByLevel'> & Merging

/** Lists of fewer items are written anew: that is one file, as what is later would be. */
const fewItems = 32

/**
 * Whether a list is to be written anew, rather than what is later than its base: where that and what is gone come to an eighth of the base, or of some words to a sixteenth or
 * three, so that the words do not all come due in one night.
 */
export function isDue(wordId: number, { clipsByLevel, since }: ClipList, changes: number): boolean {
  const [later, gone] = [since?.places.length ?? 0, since?.gone.length ?? 0]
  const base = clipCountOf({ clipsByLevel }) - later + gone
  const share = (1 + (2 * textHash(String(wordId))) / 2 ** 32) / 16
  return base < fewItems || later + gone + changes > base * share
}

/**
 * Tells where in their lists clips stand that came, and stood that went, without reading the lists: the postings of the release before tell of every item what it is
 * sorted by, and all are gone through once.
 */
export function amendLists(
  wordIds: ReadonlySet<number>,
  before: OpenedBefore,
  came: readonly IndexedEntry[],
  went: readonly IndexedEntry[],
): Map<number, Amended> {
  const sought = new Map([...wordIds].map((wordId) => [wordId, new SoughtWord(before, wordId)]))
  const seek = (clip: IndexedEntry, isNew: boolean) => {
    const shares = sharesOf(clip.said)
    const rank = levelRank(clip.level)
    eachPosting(clip.said, (wordId, occurrenceCount) => {
      const word = sought.get(wordId)
      if (!word) return
      const at = hardness(rank, { knownShare: shares[word.level]! / 100, occurrenceCount })
      word.items.push({ hardness: at, tie: tieOf(clip.clipId), clipId: clip.clipId, rank, isNew })
    })
  }
  for (const clip of came) seek(clip, true)
  for (const clip of went) seek(clip, false)
  for (const word of sought.values()) word.sort()
  countBelow(sought, before)
  return new Map([...sought].map(([wordId, word]) => [wordId, word.amended()]))
}

/** Goes through all items of the release before, and counts for each that is sought those that stand before it. */
function countBelow(
  sought: ReadonlyMap<number, SoughtWord>,
  { clips, postings }: Pick<OpenedBefore, 'clips' | 'postings'>,
): void {
  for (const row of clips.liveRows()) {
    const { language, ordinal } = clips.placeOf(row)
    const said = postings.postings(language, ordinal)
    const shares = sharesOf(said)
    const rank = clips.level(row)
    const clipId = clips.clipId(row)
    const tie = tieOf(clipId)
    eachPosting(said, (wordId, occurrenceCount) => {
      const word = sought.get(wordId)
      if (!word) return
      const at = hardness(rank, { knownShare: shares[word.level]! / 100, occurrenceCount })
      word.pass(at, tie, clipId)
    })
  }
}

interface SoughtItem {
  hardness: number
  tie: number
  clipId: string
  /** Of its level. */
  rank: number
  isNew: boolean
}

/** The items of a word's list that are sought: those that come and those that go. */
class SoughtWord {
  /** The rank of the level of the word. */
  readonly level: number
  readonly items: SoughtItem[] = []
  readonly #list: ClipList
  #hardness = new Float64Array()
  /** How many items of the list before stand right before each: behind the one that is sought before it. */
  #passed = new Uint32Array()

  constructor({ words }: OpenedBefore, wordId: number) {
    const row = words.find(wordId)
    this.level = words.levels[row]!
    this.#list = words.list(row)!
  }

  sort(): void {
    this.items.sort((a, b) => a.hardness - b.hardness || compareIds(a, b))
    this.#hardness = Float64Array.from(this.items, (item) => item.hardness)
    this.#passed = new Uint32Array(this.items.length + 1)
  }

  /** Counts an item of the list before. */
  pass(hardness: number, tie: number, clipId: string): void {
    let at = lowerBound(this.#hardness, hardness)
    // Behind the items that are as hard and not behind it in the order of ids: one that goes does not stand before itself.
    while (this.#hardness[at] === hardness && compareIds(this.items[at]!, { tie, clipId }) <= 0) at++
    this.#passed[at]! += 1
  }

  amended(): Amended {
    const { since } = this.#list
    const [placesBefore, goneBefore] = [since?.places ?? none, since?.gone ?? none]
    const clipsByLevel = [...this.#list.clipsByLevel]
    // Places in the list before: of those that go, and where those that come would stand.
    const [wentFrom, cameTo]: [number[], number[]] = [[], []]
    const gone: number[] = []
    let place = 0
    for (const [i, { rank, isNew }] of this.items.entries()) {
      place += this.#passed[i]!
      clipsByLevel[rank]! += isNew ? 1 : -1
      if (isNew) {
        cameTo.push(place)
        continue
      }
      wentFrom.push(place)
      const laterBefore = lowerBound(placesBefore, place)
      if (placesBefore[laterBefore] !== place) gone.push(numberInBase(place - laterBefore, goneBefore))
    }
    const left = placesBefore.filter((at) => wentFrom[lowerBound(wentFrom, at)] !== at)
    const places = [
      ...Array.from(left, (at) => at - lowerBound(wentFrom, at) + lowerBound(cameTo, at + 1)),
      ...cameTo.map((at, i) => at - lowerBound(wentFrom, at) + i),
    ]
    return {
      clipsByLevel,
      places: Uint32Array.from(places).sort(),
      gone: Uint32Array.from([...goneBefore, ...gone]).sort(),
    }
  }
}

const none = new Uint32Array()

function compareIds(a: { tie: number; clipId: string }, b: { tie: number; clipId: string }): number {
  return a.tie - b.tie || (a.clipId < b.clipId ? -1 : Number(a.clipId > b.clipId))
}
