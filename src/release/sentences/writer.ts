import { ByteReader } from '#kit/byte-reader.ts'
import { bufferOf, ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { writeTable } from '../table-file.ts'
import { pageDigest } from '../page-digest.ts'
import { compareTerms, partBytes } from './layout.ts'
import { readPostingList, type PostingList } from './posting-list.ts'
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
  /** By clip, its first token. */
  readonly #firstToken = new GrowingUint32Array()

  get tokens(): number {
    return this.#termOf.length
  }

  get clips(): number {
    return this.#firstToken.length
  }

  add(ordinal: number, revision: number, packed: PackedSpeech): void {
    const reader = new ByteReader(packed)
    const blockLength = reader.varint()
    const block = packed.subarray(reader.at, reader.at + blockLength)
    const { sentenceStarts } = readSpeech(reader)
    this.#out.addClip(ordinal, revision, block)
    this.#firstToken.push(this.tokens)
    const count = reader.varint()
    for (let token = 0, starts = 0; token < count; token++) {
      const length = reader.varint()
      if (sentenceStarts[starts] === token) starts++
      this.#termOf.push(this.#terms.add(packed, reader.at, reader.at + length))
      this.#positionOf.push(token + starts)
      reader.at += length
    }
  }

  finish(): MadeSegment {
    const { tokens, clips } = this
    // Counting sort of the tokens by term, which keeps their order.
    const ends = new Uint32Array(this.#terms.count + 1)
    const termOf = this.#termOf.view()
    const positionOf = this.#positionOf.view()
    for (const term of termOf) ends[term + 1]!++
    for (let term = 0; term < this.#terms.count; term++) ends[term + 1]! += ends[term]!
    const next = ends.slice()
    const clipAt = new Uint32Array(tokens)
    const positionAt = new Uint32Array(tokens)
    for (let clip = 0; clip < clips; clip++) {
      const end = clip + 1 < clips ? this.#firstToken.at(clip + 1) : tokens
      for (let token = this.#firstToken.at(clip); token < end; token++) {
        const at = next[termOf[token]!]!++
        clipAt[at] = clip
        positionAt[at] = positionOf[token]!
      }
    }
    for (const term of this.#terms.sorted()) {
      this.#out.addList(this.#terms.hash(term), this.#terms.text(term), (list) => {
        for (let at = ends[term]!; at < ends[term + 1]!; at++) list.add(clipAt[at]!, positionAt[at]!)
      })
    }
    return this.#out.finish(tokens)
  }
}

/** The clip is not in the merged segment. */
const noClip = 2 ** 32 - 1

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
      // All clips of a source have lower numbers than those of the next, so the list is ascending.
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
  /** By clip of the source, its number in the merged segment, or `noClip`. */
  readonly #clips: Uint32Array
  #number = -1
  #list: Uint8Array = new Uint8Array()
  #listAt = 0
  hash = 0
  term: Uint8Array = new Uint8Array()

  constructor(source: Merged) {
    this.#source = source
    this.#clips = new Uint32Array(source.segment.clipCount).fill(noClip)
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
      const { from, to } = segment.blockRange(clip)
      this.#clips[clip] = out.addClip(segment.ordinal(clip), segment.revision(clip), body.subarray(from, to))
    }
  }

  /** Returns how many tokens were copied. */
  copyList(list: PostingListWriter): number {
    const { clips, positionsAt, positions } = readWhole(this.#list, this.#listAt)
    let count = 0
    for (let i = 0; i < clips.length; i++) {
      const clip = this.#clips[clips[i]!]!
      if (clip === noClip) continue
      for (let at = positionsAt[i]!; at < positionsAt[i + 1]!; at++) list.add(clip, positions[at]!)
      count += positionsAt[i + 1]! - positionsAt[i]!
    }
    return count
  }
}

function readWhole(bytes: Uint8Array, from: number): PostingList {
  const reading = readPostingList(bytes, from)
  let step = reading.next()
  while (!step.done) step = reading.next()
  return step.value
}

/** Collects the parts of a segment. Terms must be added in their order. */
class SegmentPieces {
  readonly #ordinals = new GrowingUint32Array()
  readonly #revisions = new GrowingUint32Array()
  readonly #blockAt = new GrowingUint32Array()
  readonly #termHashes = new GrowingUint32Array()
  readonly #listAt = new GrowingUint32Array()
  readonly #lists = new ByteWriter(1 << 20)
  readonly #blocks = new ByteWriter(1 << 16)
  readonly #list = new PostingListWriter(this.#lists)

  /** Returns the number of the clip. */
  addClip(ordinal: number, revision: number, block: Uint8Array): number {
    this.#ordinals.push(ordinal)
    this.#revisions.push(revision)
    this.#blockAt.push(this.#blocks.length)
    this.#blocks.copy(bufferOf(block))
    return this.#ordinals.length - 1
  }

  /** Adds the list of a term, if it has a clip. */
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
    const clips = this.#ordinals.length
    this.#blockAt.push(this.#blocks.length)
    this.#listAt.push(this.#lists.length)
    const body = joinBytes([this.#lists.view(), this.#blocks.view()])
    const head = writeTable('sentences', {
      ordinals: this.#ordinals.view(),
      revisions: this.#revisions.view(),
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
