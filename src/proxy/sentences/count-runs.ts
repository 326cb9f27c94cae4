import { placeOf, type PostingList } from '#release/sentences/posting-list.ts'
import type { QueryToken } from './open-query.ts'
import { gone } from './sort-keys.ts'

/** The clips in which a query is spoken, ascending, and how many runs each has. */
export interface Counted {
  clips: Uint32Array
  counts: Uint32Array
  mostCount: number
}

/** How many lists and positions are read in one turn of the event loop: about 1 ms. */
const workPerTurn = 50_000

/** Behind the last clip of a list. */
const noClip = 2 ** 31 - 1

/**
 * Counts the runs of neighbouring positions at which the tokens of a query are spoken, in each clip
 * that is not `gone`. It iterates over the clips of the rarest token, looks them up in the lists of
 * the others, and compares positions only in clips that have all tokens. It yields about once a
 * millisecond.
 */
export function* countRuns(tokens: readonly QueryToken[], levels: Uint8Array): Generator<void, Counted> {
  const [rarest, ...others] = byRarity(tokens)
  if (!rarest) return countPositions(noList, levels)
  if (others.length === 0 && rarest.lists.length === 1) return countPositions(rarest.lists[0]!, levels)
  const inOrder = [rarest, ...others]
  const counted = new CountedClips(Math.min(rarest.clipCount, levels.length))
  const listCount = inOrder.reduce((sum, { lists }) => sum + lists.length, 0)
  let work = 0
  for (let clip = rarest.next(-1); clip !== noClip; clip = rarest.next(clip)) {
    work += listCount
    if (levels[clip] !== gone && areIn(clip, others)) {
      const count = others.length === 0 ? rarest.positionCount(clip) : marks.count(inOrder, clip)
      if (count > 0) counted.add(clip, count)
    }
    if (work + marks.positionsRead > workPerTurn) {
      work = marks.positionsRead = 0
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
    // Copied without the unused room, because the result is cached.
    const [clips, counts] = [this.#clips.slice(0, this.#length), this.#counts.slice(0, this.#length)]
    return { clips, counts, mostCount: this.#mostCount }
  }
}

function byRarity(tokens: readonly QueryToken[]): TokenCursor[] {
  return tokens
    .map(({ lists }, offset) => new TokenCursor(lists, offset))
    .sort((a, b) => a.clipCount - b.clipCount)
}

/** Whether a clip has each of the tokens. */
function areIn(clip: number, tokens: readonly TokenCursor[]): boolean {
  for (let t = 0; t < tokens.length; t++) if (!tokens[t]!.skipTo(clip)) return false
  return true
}

/** A position in each of the lists of a token. */
class TokenCursor {
  readonly lists: readonly PostingList[]
  /** How many tokens of the query come before this one. */
  readonly offset: number
  /** In all lists together; a clip that is in two of them counts twice. */
  readonly clipCount: number
  /** By list, its current clip, and the index of that in the list; `noClip` after the last. */
  readonly current: number[]
  readonly places: number[]

  constructor(lists: QueryToken['lists'], offset: number) {
    this.lists = lists.map(({ list }) => list)
    this.offset = offset
    this.clipCount = lists.reduce((sum, { list }) => sum + list.clips.length, 0)
    this.current = this.lists.map(({ clips }) => clips[0] ?? noClip)
    this.places = lists.map(() => 0)
  }

  /** The first clip after `clip`, which is the last one returned; `noClip` if there is none. */
  next(clip: number): number {
    const { current } = this
    let first = noClip
    for (let i = 0; i < current.length; i++) {
      if (current[i] === clip) this.#moveTo(i, this.places[i]! + 1)
      if (current[i]! < first) first = current[i]!
    }
    return first
  }

  /** Advances to `clip`; returns whether one of the lists has it. */
  skipTo(clip: number): boolean {
    const { current } = this
    let isIn = false
    for (let i = 0; i < current.length; i++) {
      if (current[i]! < clip) this.#moveTo(i, placeOf(clip, this.lists[i]!, this.places[i]!))
      if (current[i] === clip) isIn = true
    }
    return isIn
  }

  /** How often the token occurs in the current clip. */
  positionCount(clip: number): number {
    let count = 0
    for (let i = 0; i < this.lists.length; i++) {
      if (this.current[i] !== clip) continue
      const { positionsAt } = this.lists[i]!
      count += positionsAt[this.places[i]! + 1]! - positionsAt[this.places[i]!]!
    }
    return count
  }

  #moveTo(i: number, place: number): void {
    const { clips } = this.lists[i]!
    this.places[i] = place
    this.current[i] = place < clips.length ? clips[place]! : noClip
  }
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
  count(tokens: readonly TokenCursor[], clip: number): number {
    this.#begin()
    let count = 0
    for (let t = 0; t < tokens.length; t++) {
      const { lists, current, places, offset } = tokens[t]!
      count = 0
      for (let i = 0; i < lists.length; i++)
        if (current[i] === clip) count += this.#mark(lists[i]!, places[i]!, mostTokens - offset, t)
      if (count === 0) return 0
    }
    return count
  }

  /** Marks where a run can begin by this token and those before it; returns how many places. */
  #mark({ positionsAt, positions }: PostingList, place: number, shift: number, before: number): number {
    const [from, end] = [positionsAt[place]!, positionsAt[place + 1]!]
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
