import { placeOf, type PostingList } from '#release/sentences/posting-list.ts'
import type { QueryToken } from './open-query.ts'
import { gone } from './sort-keys.ts'

/** The clips in which the runs of a query are said, ascending, and how many in each. */
export interface Counted {
  clips: Uint32Array
  counts: Uint32Array
  mostCount: number
}

/** How many lists and positions one turn looks at before other requests get theirs: under 1 ms. */
const workPerTurn = 100_000

/** Behind the last clip of a list. */
const noClip = 2 ** 31 - 1

/**
 * Counts the runs of neighbouring positions at which the tokens of a query are said, in each clip
 * that is not `gone`. It goes through the clips of the rarest token, passes over those of the others
 * in between, and looks at positions only where a clip has all tokens. It yields after each
 * millisecond or so.
 */
export function* countRuns(tokens: readonly QueryToken[], levels: Uint8Array): Generator<void, Counted> {
  const [rarest, ...others] = byRarity(tokens)
  if (!rarest) return countPositions(noList, levels)
  if (others.length === 0 && rarest.lists.length === 1) return countPositions(rarest.lists[0]!, levels)
  const inOrder = [rarest, ...others]
  const counted = new CountedClips(Math.min(rarest.clipCount, levels.length))
  let work = 0
  for (let clip = rarest.next(-1); clip !== noClip; clip = rarest.next(clip)) {
    work += rarest.lists.length
    if (levels[clip] !== gone && areIn(clip, others)) {
      const count = others.length === 0 ? rarest.positionCount(clip) : marks.count(inOrder, clip)
      work += count + others.length
      if (count > 0) counted.add(clip, count)
    }
    if (work > workPerTurn) {
      work = 0
      yield
    }
  }
  return counted.finish()
}

/** How often one term is said: nothing has to be compared. A million clips take 3 ms. */
function countPositions({ clips, positionsAt }: PostingList, levels: Uint8Array): Counted {
  const counted = new CountedClips(clips.length)
  for (let i = 0; i < clips.length; i++) {
    const clip = clips[i]!
    if (levels[clip] !== gone) counted.add(clip, positionsAt[i + 1]! - positionsAt[i]!)
  }
  return counted.finish()
}

const noList: PostingList = {
  clips: new Uint32Array(),
  positionsAt: new Uint32Array(1),
  positions: new Uint16Array(),
}

class CountedClips {
  readonly #clips: Uint32Array
  readonly #counts: Uint32Array
  #length = 0
  #mostCount = 0

  /** `room` for so many clips. */
  constructor(room: number) {
    this.#clips = new Uint32Array(room)
    this.#counts = new Uint32Array(room)
  }

  add(clip: number, count: number): void {
    this.#clips[this.#length] = clip
    this.#counts[this.#length++] = count
    if (count > this.#mostCount) this.#mostCount = count
  }

  finish(): Counted {
    // Copies, because what was found is cached: a rare phrase of common words has a lot of room left.
    const [clips, counts] = [this.#clips.slice(0, this.#length), this.#counts.slice(0, this.#length)]
    return { clips, counts, mostCount: this.#mostCount }
  }
}

function byRarity(tokens: readonly QueryToken[]): TokenCursor[] {
  return tokens
    .map(({ lists }, offset) => new TokenCursor(lists, offset))
    .sort((a, b) => a.clipCount - b.clipCount)
}

/** Whether each of the tokens is said in a clip. Their cursors then stand at it or behind it. */
function areIn(clip: number, tokens: readonly TokenCursor[]): boolean {
  for (let t = 0; t < tokens.length; t++) if (!tokens[t]!.skipTo(clip)) return false
  return true
}

/** Goes through the lists of a token together. */
class TokenCursor {
  readonly lists: readonly PostingList[]
  /** How many tokens of the query come before this one. */
  readonly offset: number
  /** Of all lists; a clip that is in two of them counts twice. */
  readonly clipCount: number
  /** By list: its place at hand. */
  readonly places: number[]

  constructor(lists: QueryToken['lists'], offset: number) {
    this.lists = lists.map(({ list }) => list)
    this.offset = offset
    this.clipCount = lists.reduce((sum, { list }) => sum + list.clips.length, 0)
    this.places = lists.map(() => 0)
  }

  /** The first clip behind `clip`, at which the lists stand, or before it; `noClip` if there is none. */
  next(clip: number): number {
    const { lists, places } = this
    let first = noClip
    for (let i = 0; i < lists.length; i++) {
      const { clips } = lists[i]!
      if (clips[places[i]!] === clip) places[i]!++
      const place = places[i]!
      if (place < clips.length && clips[place]! < first) first = clips[place]!
    }
    return first
  }

  /** Passes over the clips before `clip`; returns whether one of the lists has it. */
  skipTo(clip: number): boolean {
    const { lists, places } = this
    let isIn = false
    for (let i = 0; i < lists.length; i++) {
      const list = lists[i]!
      const place = placeOf(clip, list, places[i]!)
      places[i] = place
      if (place < list.clips.length && list.clips[place] === clip) isIn = true
    }
    return isIn
  }

  /** How often the token is said in the clip that the lists stand at. */
  positionCount(clip: number): number {
    const { lists, places } = this
    let count = 0
    for (let i = 0; i < lists.length; i++) {
      const { clips, positionsAt } = lists[i]!
      const place = places[i]!
      if (place < clips.length && clips[place] === clip)
        count += positionsAt[place + 1]! - positionsAt[place]!
    }
    return count
  }
}

/** More than a query has tokens. */
const mostTokens = 16

/**
 * Finds runs in one clip at a time. Each place where a run may begin is marked with a number that
 * stands for the clip and how many tokens were found so far, so that nothing is sorted or cleared.
 */
class Marks {
  #marks = new Int32Array(1 << 12)
  #base = 0

  /** How many runs of all the tokens there are in the clip that their cursors stand at. */
  count(tokens: readonly TokenCursor[], clip: number): number {
    this.#begin()
    let count = 0
    for (let t = 0; t < tokens.length; t++) {
      const { lists, places, offset } = tokens[t]!
      count = 0
      for (let i = 0; i < lists.length; i++) {
        const place = places[i]!
        if (lists[i]!.clips[place] === clip) count += this.#mark(lists[i]!, place, mostTokens - offset, t)
      }
      if (count === 0) return 0
    }
    return count
  }

  /** Marks the places where a run may begin by this token and those before; returns how many. */
  #mark({ positionsAt, positions }: PostingList, place: number, shift: number, before: number): number {
    const end = positionsAt[place + 1]!
    if (before === 0) this.#reserve(positions[end - 1]! + shift)
    const marks = this.#marks
    const [wanted, mark] = [this.#base + before, this.#base + before + 1]
    let count = 0
    for (let i = positionsAt[place]!; i < end; i++) {
      const at = positions[i]! + shift
      if (before > 0 && marks[at] !== wanted) continue
      marks[at] = mark
      count++
    }
    return count
  }

  #begin(): void {
    this.#base += mostTokens
    if (this.#base + mostTokens < 2 ** 31) return
    this.#marks.fill(0)
    this.#base = mostTokens
  }

  #reserve(place: number): void {
    if (place < this.#marks.length) return
    const grown = new Int32Array(2 * place)
    grown.set(this.#marks)
    this.#marks = grown
  }
}

/** One for all searches: none yields within a clip. */
const marks = new Marks()
