import { compareTerms } from './layout.ts'
import { placeOf, readPostingList, type PostingList } from './posting-list.ts'
import type { PostingListWriter } from './posting-list-writer.ts'
import { termOfList, type Segment } from './reader.ts'
import { SegmentPieces, type MadeSegment } from './segment-pieces.ts'

/** A segment to merge, its whole body, and which of its clips to keep. */
export interface Merged {
  segment: Segment
  body: Uint8Array
  isLive(clip: number): boolean
}

/** Merges segments into one, without the clips that are no longer live. */
export function mergeSegments(sources: readonly Merged[]): MadeSegment {
  const out = new SegmentPieces()
  const cursors = sources.map((source) => new TermCursor(source))
  for (const cursor of cursors) cursor.addClips(out)
  let tokens = 0
  for (let first = firstOf(cursors); first; first = firstOf(cursors)) {
    const { hash, term } = first
    out.addList(hash, term, (list) => {
      // All positions of a source are below those of the next, so the list is ascending.
      for (const cursor of cursors) if (cursor.isAt(hash, term)) tokens += cursor.copyList(list)
    })
    for (const cursor of cursors) if (cursor.isAt(hash, term)) cursor.next()
  }
  return out.finish(tokens)
}

function firstOf(cursors: readonly TermCursor[]): TermCursor | undefined {
  let first: TermCursor | undefined
  for (const cursor of cursors) {
    if (cursor.isDone) continue
    if (!first || compareTerms(cursor.hash, cursor.term, first.hash, first.term) < 0) first = cursor
  }
  return first
}

/** Iterates over the terms of a segment in their order. */
class TermCursor {
  readonly #source: Merged
  /** Where live clips that stand one behind another in the source stand in the merged segment. */
  readonly #stretches: Stretch[] = []
  #number = -1
  #list: Uint8Array = new Uint8Array()
  #listAt = 0
  hash = 0
  term: Uint8Array = new Uint8Array()

  constructor(source: Merged) {
    this.#source = source
    this.next()
  }

  get isDone(): boolean {
    return this.#number >= this.#source.segment.termCount
  }

  next(): void {
    this.#number++
    if (this.isDone) return
    const { segment, body } = this.#source
    const { from, to } = segment.listRange(this.#number)
    this.#list = body.subarray(from, to)
    const { term, at } = termOfList(this.#list)
    this.hash = segment.termHash(this.#number)
    this.term = term
    this.#listAt = at
  }

  isAt(hash: number, term: Uint8Array): boolean {
    return !this.isDone && this.hash === hash && Buffer.compare(this.term, term) === 0
  }

  addClips(out: SegmentPieces): void {
    const { segment, body, isLive } = this.#source
    for (let clip = 0; clip < segment.clipCount; clip++) {
      if (!isLive(clip)) continue
      const blocks = segment.blockRange(clip)
      const [from, to] = [segment.positionAt[clip]!, segment.positionAt[clip + 1]!]
      const moved = { ordinal: segment.ordinal(clip), revision: segment.revision(clip), positions: to - from }
      const at = out.addClip(moved, body.subarray(blocks.from, blocks.to))
      const last = this.#stretches.at(-1)
      if (last?.to === from) last.to = to
      else this.#stretches.push({ from, to, by: at - from })
    }
  }

  /** Returns how many tokens were copied. */
  copyList(list: PostingListWriter): number {
    const positions = readWhole(this.#list, this.#listAt)
    let count = 0
    let i = 0
    for (const { from, to, by } of this.#stretches) {
      i = placeOf(from, positions, i)
      for (; i < positions.length && positions[i]! < to; i++, count++) list.add(positions[i]! + by)
      if (i === positions.length) break
    }
    return count
  }
}

/** The positions `from … to` of a source, which are moved by a distance. */
interface Stretch {
  from: number
  to: number
  by: number
}

function readWhole(bytes: Uint8Array, from: number): PostingList {
  const reading = readPostingList(bytes, from)
  let step = reading.next()
  while (!step.done) step = reading.next()
  return step.value
}
