import { placeOf, type PostingList } from '#release/sentences/posting-list.ts'
import { Candidates, windowSize } from './candidates.ts'
import { gone } from './sort-keys.ts'
import { TokenCursor } from './token-cursor.ts'

/** The clips in which a query is spoken, ascending, and how many runs each has. */
export interface Counted {
  clips: Uint32Array
  counts: Uint32Array
  mostCount: number
}

/** The clips of a segment. */
export interface ClipsToCount {
  /** By clip, the position at which it begins; finally, where the last ends. */
  positionAt: Int32Array
  /** By clip its level, or `gone`: such a clip is left out. */
  levels: Uint8Array
}

/** So many are looked up at once, because each window takes about a microsecond. */
const fewPositions = 4096

/** Shared by all searches, because none yields within a window. */
const candidates = new Candidates()

/**
 * Counts the runs of neighbouring positions at which the tokens of a query are spoken. `tokens` has
 * for each token the lists of its forms, of which no two have a position in common.
 *
 * The positions are searched window by window; all at once if the rarest token has few. A
 * candidate is a place where a run begins if the rarest token is part of one; each of the other
 * tokens removes those at which it is not spoken. After each window, the search yields how many
 * positions it went through.
 */
export function* countRuns(
  tokens: readonly (readonly PostingList[])[],
  clips: ClipsToCount,
): Generator<number, Counted> {
  const cursors = tokens.map((lists, offset) => new TokenCursor(lists, offset))
  const [rarest, ...others] = cursors.sort((a, b) => a.total - b.total)
  if (!rarest) return { clips: new Uint32Array(), counts: new Uint32Array(), mostCount: 0 }
  const counted = new CountedClips(clips, rarest.total)
  const positionCount = clips.positionAt.at(-1)!
  const size = rarest.total <= fewPositions ? positionCount : windowSize
  for (let start = rarest.next; start < Infinity; start = rarest.next) {
    candidates.begin(start, rarest, size)
    for (const token of others)
      if (candidates.count > 0) candidates.keep(token, (token.total * windowSize) / positionCount)
    counted.add(candidates.sorted(), candidates.count)
    yield candidates.takeWork()
  }
  return counted.finish()
}

class CountedClips {
  readonly #positionAt: Int32Array
  readonly #levels: Uint8Array
  readonly #clips: Uint32Array
  readonly #counts: Uint32Array
  #length = 0
  #mostCount = 0
  /** The clip of the last run. */
  #clip = -1

  /** `mostRuns` are counted. */
  constructor({ positionAt, levels }: ClipsToCount, mostRuns: number) {
    const room = Math.min(mostRuns, levels.length)
    this.#positionAt = positionAt
    this.#levels = levels
    this.#clips = new Uint32Array(room)
    this.#counts = new Uint32Array(room)
  }

  /** Adds the runs that begin at the first `count` of these positions, ascending. */
  add(starts: Int32Array, count: number): void {
    for (let i = 0; i < count;) {
      const clip = this.#clipAt(starts[i]!)
      const end = this.#positionAt[clip + 1]!
      const first = i
      while (i < count && starts[i]! < end) i++
      if (this.#levels[clip] !== gone) this.#addRuns(clip, i - first)
    }
  }

  #clipAt(position: number): number {
    const positionAt = this.#positionAt
    if (position >= positionAt[this.#clip + 1]!)
      this.#clip = placeOf(position + 1, positionAt, this.#clip + 1) - 1
    return this.#clip
  }

  /** The clip may be the last one added. */
  #addRuns(clip: number, runs: number): void {
    if (this.#length === 0 || this.#clips[this.#length - 1] !== clip) this.#clips[this.#length++] = clip
    const last = this.#length - 1
    this.#counts[last]! += runs
    this.#mostCount = Math.max(this.#mostCount, this.#counts[last]!)
  }

  finish(): Counted {
    // Copied without the unused room, because the result is cached.
    const [clips, counts] = [this.#clips.slice(0, this.#length), this.#counts.slice(0, this.#length)]
    return { clips, counts, mostCount: this.#mostCount }
  }
}
