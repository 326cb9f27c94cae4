import type { PostingList } from '#release/sentences/posting-list.ts'
import type { TokenCursor } from './token-cursor.ts'

/**
 * How many positions are searched at once: the speech of about 800 clips. Their bits take 16 KB,
 * which fit into the fastest memory of a processor.
 */
export const windowSize = 1 << 17

/** Looking up a position in a list takes as long as reading so many positions. */
const lookUpWork = 16

/** Sorting more positions takes longer than going through all bits. */
const sortedAtMost = 200

/** The positions in a window at which a run may begin: at most `windowSize`. */
export class Candidates {
  readonly #starts = new Int32Array(windowSize)
  count = 0
  #isSorted = true
  #from = 0
  #size = windowSize
  #work = 0
  /** A bit for each position of the window; 0 between calls. */
  readonly #bits = new Int32Array(windowSize / 32)

  /**
   * Begins a window of `size` positions at `from` with the starts of all runs that the token may be
   * part of. In a window of more than `windowSize` positions, tokens are only looked up.
   */
  begin(from: number, token: TokenCursor, size: number): void {
    this.#from = from
    this.#size = size
    this.count = 0
    let listCount = 0
    for (let i = 0; i < token.lists.length; i++) if (this.#copy(token, i) > 0) listCount++
    this.#isSorted = listCount < 2
    this.#work += this.count
  }

  /**
   * Removes the starts of runs that do not have the token in its place. The token has about
   * `positionCount` positions in the window.
   */
  keep(token: TokenCursor, positionCount: number): void {
    const areFew = this.count * token.lists.length * lookUpWork < positionCount
    if (areFew || this.#size > windowSize) this.#lookUp(token, positionCount)
    else this.#compare(token)
  }

  /** The array whose first `count` numbers are the candidates, ascending. */
  sorted(): Int32Array {
    if (!this.#isSorted) this.#sort()
    return this.#starts
  }

  /** How much work was done since the last call, in positions read. */
  takeWork(): number {
    const work = this.#work
    this.#work = 0
    return work
  }

  /** Adds the positions of a list of the token; returns how many. */
  #copy(token: TokenCursor, i: number): number {
    const { from, to } = token.range(i, this.#from, this.#size)
    const [starts, count] = [this.#starts, this.count]
    const [list, offset] = [token.lists[i]!, token.offset]
    for (let place = from, at = count; place < to; place++) starts[at++] = (list[place]! - offset) | 0
    this.count = count + to - from
    return to - from
  }

  #sort(): void {
    this.#isSorted = true
    const [starts, count] = [this.#starts, this.count]
    // Sorting takes about four times as long as reading.
    this.#work += 4 * count
    if (count <= sortedAtMost || this.#size > windowSize) {
      starts.subarray(0, count).sort()
      return
    }
    const bits = this.#bits
    const windowFrom = this.#from
    for (let i = 0; i < count; i++) {
      const bit = (starts[i]! - windowFrom) | 0
      bits[bit >> 5]! |= 1 << bit
    }
    let at = 0
    for (let word = 0; word < bits.length; word++) {
      for (let left = bits[word]!; left !== 0; left &= left - 1)
        starts[at++] = windowFrom + word * 32 + 31 - Math.clz32(left & -left)
    }
    bits.fill(0)
  }

  #lookUp(token: TokenCursor, positionCount: number): void {
    const starts = this.sorted()
    const step = Math.max(1, Math.floor(positionCount / token.lists.length / this.count))
    let kept = 0
    for (let i = 0; i < this.count; i++) if (token.has(starts[i]!, step)) starts[kept++] = starts[i]!
    this.#work += this.count * token.lists.length * lookUpWork
    this.count = kept
  }

  #compare(token: TokenCursor): void {
    const bits = this.#bits
    for (let i = 0; i < token.lists.length; i++) this.#mark(token, i)
    const windowFrom = this.#from
    const [starts, count] = [this.#starts, this.count]
    let kept = 0
    for (let i = 0; i < count; i++) {
      const start = starts[i]!
      const bit = (start - windowFrom) | 0
      if (((bits[bit >> 5]! >>> bit) & 1) === 1) starts[kept++] = start
    }
    this.#work += count
    this.count = kept
    bits.fill(0)
  }

  /** Sets the bits of the positions of a list. */
  #mark(token: TokenCursor, i: number): void {
    const { from, to } = token.range(i, this.#from, this.#size)
    const list: PostingList = token.lists[i]!
    const bits = this.#bits
    const before = this.#from + token.offset
    for (let place = from; place < to; place++) {
      const bit = (list[place]! - before) | 0
      bits[bit >> 5]! |= 1 << bit
    }
    this.#work += to - from
  }
}
