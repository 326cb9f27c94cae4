import { levelRank, type Level } from '#contract/levels.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { textHash } from '#kit/text-hash.ts'
import { clipCountOf, numberInBase, type ClipList, type Merging } from '#release/clip-list.ts'
import { eachPosting, sharesOf, type Postings } from '#release/postings-table.ts'
import { easier, hardness } from '#rendering/word-clips.ts'
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
    const rank = levelRank(clip.level)
    const hardest = hardestByLevel(rank, clip.said)
    eachPosting(clip.said, (wordId, occurrenceCount) => {
      const word = sought.get(wordId)
      if (!word) return
      const hardness = easier(hardest[word.level]!, occurrenceCount)
      word.seek({ hardness, tie: tieOf(clip.clipId), clipId: clip.clipId, rank, isNew })
    })
  }
  for (const clip of came) seek(clip, true)
  for (const clip of went) seek(clip, false)
  for (const word of sought.values()) word.sort()
  passAll(sought, before)
  return new Map([...sought].map(([wordId, word]) => [wordId, word.amended()]))
}

/** Has every item of the release before pass those of its word that are sought. Of a corpus they are millions: this is most of what amending costs. */
function passAll(
  sought: ReadonlyMap<number, SoughtWord>,
  { clips, postings }: Pick<OpenedBefore, 'clips' | 'postings'>,
): void {
  for (const row of clips.liveRows()) {
    const { language, ordinal } = clips.placeOf(row)
    const said = postings.postings(language, ordinal)
    const hardest = hardestByLevel(clips.level(row), said)
    const clipId = clips.clipId(row)
    const tie = tieOf(clipId)
    eachPosting(said, (wordId, occurrenceCount) => {
      const word = sought.get(wordId)
      word?.pass(easier(hardest[word.level]!, occurrenceCount), tie, clipId)
    })
  }
}

/** By the level of a word, the hardness of an item of the clip if the word were not said in it at all. */
function hardestByLevel(rank: number, said: Postings): number[] {
  return Array.from(sharesOf(said), (share) =>
    hardness(rank, { knownShare: share / 100, occurrenceCount: 0 }),
  )
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
  readonly #list: ClipList
  readonly #items: SoughtItem[] = []
  /** What the items are sorted by, number beside number: hardness and tie. */
  #keys = new Float64Array()
  /** How many items of the list before stand between each and the one before it. */
  #passed = new Uint32Array()

  constructor({ words }: OpenedBefore, wordId: number) {
    const row = words.find(wordId)
    this.level = words.levels[row]!
    this.#list = words.list(row)!
  }

  seek(item: SoughtItem): void {
    this.#items.push(item)
  }

  sort(): void {
    this.#items.sort((a, b) => a.hardness - b.hardness || a.tie - b.tie || Number(a.clipId > b.clipId))
    this.#keys = Float64Array.from(this.#items.flatMap(({ hardness, tie }) => [hardness, tie]))
    this.#passed = new Uint32Array(this.#items.length + 1)
  }

  /** Counts an item of the list before: it stands before the first that is sought and comes behind it in the order of the list. */
  pass(hardness: number, tie: number, clipId: string): void {
    const keys = this.#keys
    let [low, high] = [0, this.#items.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const key = keys[2 * middle]!
      const isBehind =
        key !== hardness
          ? key > hardness
          : keys[2 * middle + 1] !== tie
            ? keys[2 * middle + 1]! > tie
            : this.#items[middle]!.clipId > clipId
      if (isBehind) high = middle
      else low = middle + 1
    }
    this.#passed[low]! += 1
  }

  amended(): Amended {
    const { since } = this.#list
    const [placesBefore, goneBefore] = [since?.places ?? none, since?.gone ?? none]
    const clipsByLevel = [...this.#list.clipsByLevel]
    // Places in the list before: of those that go, and where those that come would stand.
    const [wentFrom, cameTo]: [number[], number[]] = [[], []]
    const gone: number[] = []
    let place = 0
    for (const [i, { rank, isNew }] of this.#items.entries()) {
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
    const stayed = placesBefore.filter((at) => wentFrom[lowerBound(wentFrom, at)] !== at)
    const places = [
      ...Array.from(stayed, (at) => at - lowerBound(wentFrom, at) + lowerBound(cameTo, at + 1)),
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
