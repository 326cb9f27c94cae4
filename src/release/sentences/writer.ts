import { ByteReader } from '#kit/byte-reader.ts'
import { bufferOf, ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { writeTable } from '../table-file.ts'
import { pageDigest } from '../page-digest.ts'
import { compareTerms, partBytes } from './layout.ts'
import { placeOf, readPostingList, type PostingList } from './posting-list.ts'
import { PostingListWriter } from './posting-list-writer.ts'
import { termOfList, type Segment } from './reader.ts'
import { readSpeech, type PackedSpeech } from './speech.ts'
import { TermSet } from './term-set.ts'

/** A finished segment. */
export interface MadeSegment {
  head: Uint8Array<ArrayBuffer>
  body: Uint8Array<ArrayBuffer>
  clips: number
  tokens: number
}

/** Builds a segment from the speech of clips. */
export class SegmentWriter {
  readonly #out = new SegmentPieces()
  readonly #terms = new TermSet()
  /** By token, the number of its term and its position. */
  readonly #termOf = new GrowingUint32Array()
  readonly #positionOf = new GrowingUint32Array()

  get tokens(): number {
    return this.#termOf.length
  }

  get clips(): number {
    return this.#out.clips
  }

  add(ordinal: number, revision: number, packed: PackedSpeech): void {
    const reader = new ByteReader(packed)
    const blockLength = reader.varint()
    const block = packed.subarray(reader.at, reader.at + blockLength)
    const { sentenceStarts } = readSpeech(reader)
    const count = reader.varint()
    const sentences = count === 0 ? 0 : sentenceStarts.length + 1
    let position = this.#out.addClip({ ordinal, revision, positions: count + sentences }, block)
    for (let token = 0, starts = 0; token < count; token++) {
      const length = reader.varint()
      if (sentenceStarts[starts] === token) {
        starts++
        position++
      }
      this.#termOf.push(this.#terms.add(packed, reader.at, reader.at + length))
      this.#positionOf.push(position++)
      reader.at += length
    }
  }

  finish(): MadeSegment {
    // Counting sort of the tokens by term, which keeps their order.
    const ends = new Uint32Array(this.#terms.count + 1)
    const termOf = this.#termOf.view()
    const positionOf = this.#positionOf.view()
    for (const term of termOf) ends[term + 1]!++
    for (let term = 0; term < this.#terms.count; term++) ends[term + 1]! += ends[term]!
    const next = ends.slice()
    const positions = new Uint32Array(termOf.length)
    for (let token = 0; token < termOf.length; token++)
      positions[next[termOf[token]!]!++] = positionOf[token]!
    for (const term of this.#terms.sorted()) {
      this.#out.addList(this.#terms.hash(term), this.#terms.text(term), (list) => {
        for (let at = ends[term]!; at < ends[term + 1]!; at++) list.add(positions[at]!)
      })
    }
    return this.#out.finish(termOf.length)
  }
}

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

interface AddedClip {
  ordinal: number
  revision: number
  /** How many positions it takes. */
  positions: number
}

/** Collects the parts of a segment. Terms must be added in their order. */
class SegmentPieces {
  #positions = 0
  readonly #ordinals = new GrowingUint32Array()
  readonly #revisions = new GrowingUint32Array()
  readonly #positionAt = new GrowingUint32Array()
  readonly #blockAt = new GrowingUint32Array()
  readonly #termHashes = new GrowingUint32Array()
  readonly #listAt = new GrowingUint32Array()
  readonly #lists = new ByteWriter(1 << 20)
  readonly #blocks = new ByteWriter(1 << 16)
  readonly #list = new PostingListWriter(this.#lists)

  get clips(): number {
    return this.#ordinals.length
  }

  /** Adds a clip with so many positions; returns its first one. */
  addClip({ ordinal, revision, positions }: AddedClip, block: Uint8Array): number {
    const first = this.#positions
    this.#ordinals.push(ordinal)
    this.#revisions.push(revision)
    this.#positionAt.push(first)
    this.#blockAt.push(this.#blocks.length)
    this.#blocks.copy(bufferOf(block))
    this.#positions += positions
    return first
  }

  /** Adds the list of a term, if it has a position. */
  addList(hash: number, term: Uint8Array, fill: (list: PostingListWriter) => void): void {
    const from = this.#lists.length
    fill(this.#list)
    const isThere = this.#list.end((out) => {
      out.varint(term.length)
      out.copy(bufferOf(term))
    })
    if (!isThere) return
    this.#termHashes.push(hash)
    this.#listAt.push(from)
  }

  finish(tokens: number): MadeSegment {
    const { clips } = this
    this.#positionAt.push(this.#positions)
    this.#blockAt.push(this.#blocks.length)
    this.#listAt.push(this.#lists.length)
    const body = joinBytes([this.#lists.view(), this.#blocks.view()])
    const head = writeTable('sentences', {
      ordinals: this.#ordinals.view(),
      revisions: this.#revisions.view(),
      positionAt: this.#positionAt.view(),
      blockAt: this.#blockAt.view(),
      termHashes: this.#termHashes.view(),
      listAt: this.#listAt.view(),
      partDigests: Uint32Array.from(
        partsOf(body).flatMap((part) => {
          const { high, low } = pageDigest(part)
          return [high, low]
        }),
      ),
    })
    return { head: joinBytes(head), body, clips, tokens }
  }
}

/** Splits a body into its parts. */
export function partsOf(body: Uint8Array): Uint8Array[] {
  const count = Math.ceil(body.length / partBytes)
  return Array.from({ length: count }, (_, i) => body.subarray(i * partBytes, (i + 1) * partBytes))
}
