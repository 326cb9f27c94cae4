import { placeOf, type PostingList } from '#release/sentences/posting-list.ts'
import { gone } from './sort-keys.ts'

/** The clips in which a query is spoken, ascending, and how many runs each has. */
export interface Counted {
  clips: Uint32Array
  counts: Uint32Array
  mostCount: number
}

/** How many clips and positions are read in one turn of the event loop: about 1 ms. */
const workPerTurn = 50_000

/** What looking up a clip costs, in positions. */
const clipWork = 5

/**
 * Counts the runs of neighbouring positions at which the tokens of a query are spoken, in each clip
 * that is not `gone`. `tokens` has a list for each token. The search iterates over the clips of the
 * rarest token, looks them up in the lists of the others, and compares positions only in clips that
 * have all tokens. It yields about once a millisecond.
 */
export function* countRuns(tokens: readonly PostingList[], levels: Uint8Array): Generator<void, Counted> {
  const [rarest, ...others] = byRarity(tokens)
  if (!rarest) return new CountedClips(0).finish()
  if (others.length === 0) return countPositions(rarest.list, levels)
  const inOrder = [rarest, ...others]
  const { clips } = rarest.list
  const counted = new CountedClips(clips.length)
  let work = 0
  for (rarest.place = 0; rarest.place < clips.length; rarest.place++) {
    const clip = clips[rarest.place]!
    work += clipWork
    if (levels[clip] !== gone && areIn(clip, others)) {
      const count = marks.count(inOrder)
      if (count > 0) counted.add(clip, count)
    }
    if (work + marks.positionsRead > workPerTurn) {
      work = marks.positionsRead = 0
      yield
    }
  }
  return counted.finish()
}

/** Whether a clip has each of the tokens. */
function areIn(clip: number, tokens: readonly TokenCursor[]): boolean {
  for (let t = 0; t < tokens.length; t++) if (!tokens[t]!.skipTo(clip)) return false
  return true
}

/** Counts the runs of a single token, without comparing positions. A million clips take 3 ms. */
function countPositions({ clips, positionsAt }: PostingList, levels: Uint8Array): Counted {
  const counted = new CountedClips(clips.length)
  for (let i = 0; i < clips.length; i++) {
    const clip = clips[i]!
    if (levels[clip] !== gone) counted.add(clip, positionsAt[i + 1]! - positionsAt[i]!)
  }
  return counted.finish()
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
    // Copied without the unused room, because the result is cached.
    const [clips, counts] = [this.#clips.slice(0, this.#length), this.#counts.slice(0, this.#length)]
    return { clips, counts, mostCount: this.#mostCount }
  }
}

/** A place in the list of a token. */
class TokenCursor {
  readonly list: PostingList
  /** How many tokens of the query come before this one. */
  readonly offset: number
  place = 0

  constructor(list: PostingList, offset: number) {
    this.list = list
    this.offset = offset
  }

  /** Advances to `clip`; returns whether the list has it. */
  skipTo(clip: number): boolean {
    const { list } = this
    this.place = placeOf(clip, list, this.place)
    return this.place < list.clips.length && list.clips[this.place] === clip
  }
}

function byRarity(tokens: readonly PostingList[]): TokenCursor[] {
  return tokens
    .map((list, offset) => new TokenCursor(list, offset))
    .sort((a, b) => a.list.clips.length - b.list.clips.length)
}

/** More than a query has tokens. */
const mostTokens = 16

/**
 * Counts the runs of one clip at a time. It marks each position where a run can begin with a number
 * for the clip and the tokens that matched so far, so that nothing has to be sorted or cleared.
 */
class Marks {
  #marks = new Int32Array(1 << 12)
  #base = 0
  positionsRead = 0

  /** How many runs the clip has, to which all cursors have advanced. */
  count(tokens: readonly TokenCursor[]): number {
    this.#begin()
    let count = 0
    for (let t = 0; t < tokens.length; t++) {
      count = this.#mark(tokens[t]!, t)
      if (count === 0) return 0
    }
    return count
  }

  /** Marks where a run can begin by this token and those before it; returns how many places. */
  #mark({ list: { positionsAt, positions }, place, offset }: TokenCursor, before: number): number {
    const [from, end] = [positionsAt[place]!, positionsAt[place + 1]!]
    const shift = mostTokens - offset
    this.positionsRead += end - from
    if (before === 0) this.#reserve(positions[end - 1]! + shift)
    const marks = this.#marks
    const [wanted, mark] = [this.#base + before, this.#base + before + 1]
    let count = 0
    for (let i = from; i < end; i++) {
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

/** Shared by all searches, because none yields within a clip. */
const marks = new Marks()
