import type { ClipPositions } from '#release/sentences/clip-positions.ts'
import type { PostingList } from '#release/sentences/posting-list.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
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
  positions: ClipPositions
  /** By clip its level, or `gone`: such a clip is left out. */
  levels: Uint8Array
}

/** Up to so many positions are searched without windows: each window takes about a microsecond. */
const fewPositions = 4096

/** Shared by all searches, because none yields within a window. */
const candidates = new Candidates()

/**
 * Counts the runs of neighbouring positions at which the tokens of a query are spoken. `tokens` has
 * for each token the lists of its forms, of which no two have a position in common.
 *
 * The positions are searched window by window, or all at once if the rarest token has few. Each
 * position of the rarest token gives a candidate: the place where a run with it would begin. Each
 * other token removes the candidates that lack it in its place. After each window, the search
 * yields how many positions it went through.
 */
export function* countRuns(
  tokens: readonly (readonly PostingList[])[],
  clips: ClipsToCount,
): Generator<number, Counted> {
  const cursors = tokens.map((lists, offset) => new TokenCursor(lists, offset))
  const [rarest, ...others] = cursors.sort((a, b) => a.total - b.total)
  if (!rarest) return { clips: new Uint32Array(), counts: new Uint32Array(), mostCount: 0 }
  const counted = new CountedClips(clips)
  const positionCount = clips.positions.end
  const size = rarest.total <= fewPositions ? positionCount : windowSize
  for (let start = rarest.next; start < Infinity; start = rarest.next) {
    candidates.begin(start, rarest, size)
    for (const token of others)
      if (candidates.count > 0) candidates.keep(token, (token.total * size) / positionCount)
    counted.add(candidates.sorted(), candidates.count)
    yield candidates.takeWork()
  }
  return counted.finish()
}

class CountedClips {
  readonly #positions: ClipPositions
  readonly #levels: Uint8Array
  readonly #clips = new GrowingUint32Array()
  readonly #counts = new GrowingUint32Array()
  #mostCount = 0
  /** The last clip with a run, and how many it has. */
  #clip = -1
  #count = 0

  constructor({ positions, levels }: ClipsToCount) {
    this.#positions = positions
    this.#levels = levels
  }

  /** Adds the runs that begin at the first `count` of these positions, ascending. */
  add(starts: Int32Array, count: number): void {
    const { begins } = this.#positions
    for (let i = 0; i < count;) {
      const clip = this.#positions.clipAt(starts[i]!)
      const end = begins[clip + 1]!
      const first = i
      while (i < count && starts[i]! < end) i++
      if (this.#levels[clip] === gone) continue
      // It may be the last clip that was added.
      if (clip !== this.#clip) {
        this.#endClip()
        this.#clip = clip
      }
      this.#count += i - first
    }
  }

  #endClip(): void {
    if (this.#count === 0) return
    this.#clips.push(this.#clip)
    this.#counts.push(this.#count)
    this.#mostCount = Math.max(this.#mostCount, this.#count)
    this.#count = 0
  }

  finish(): Counted {
    this.#endClip()
    // Copied without the unused room, because the result is cached.
    const [clips, counts] = [this.#clips.view().slice(), this.#counts.view().slice()]
    return { clips, counts, mostCount: this.#mostCount }
  }
}
