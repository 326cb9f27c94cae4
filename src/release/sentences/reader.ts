import { ByteReader } from '#kit/byte-reader.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import type { PageDigest } from '../page-digest.ts'
import { sentencesPath } from '../paths.ts'
import { openTable } from '../table-file.ts'
import { ClipPositions } from './clip-positions.ts'
import { segmentName, termHash, type SegmentEntry } from './layout.ts'

/** Bytes of a segment's body. */
export interface ByteRange {
  from: number
  to: number
}

/**
 * A segment with its head in memory, which tells where to read the body. Each segment numbers its
 * clips from 0.
 */
export class Segment {
  readonly entry: SegmentEntry
  readonly #ordinals: Uint32Array
  readonly #revisions: Uint32Array
  /** By clip, the position at which it begins; finally, where the last ends. */
  readonly positionAt: Int32Array
  #positions: ClipPositions | null = null
  readonly #blockAt: Uint32Array
  readonly #termHashes: Uint32Array
  readonly #listAt: Uint32Array
  readonly #partDigests: Uint32Array

  /** @throws {SyntaxError} when the bytes are not a head of this version */
  constructor(head: Uint8Array<ArrayBuffer>, entry: SegmentEntry) {
    const sections = openTable(head, 'sentences', sentencesPath(entry.language, segmentName(entry), 0))
    this.entry = entry
    this.#ordinals = sections.u32('ordinals')
    this.#revisions = sections.u32('revisions')
    const { buffer, byteOffset, length } = sections.u32('positionAt')
    this.positionAt = new Int32Array(buffer, byteOffset, length)
    this.#blockAt = sections.u32('blockAt')
    this.#termHashes = sections.u32('termHashes')
    this.#listAt = sections.u32('listAt')
    this.#partDigests = sections.u32('partDigests')
  }

  get clipCount(): number {
    return this.#ordinals.length
  }

  get termCount(): number {
    return this.#termHashes.length
  }

  /** Finds the clip of a position. Made for the first search. */
  get positions(): ClipPositions {
    return (this.#positions ??= new ClipPositions(this.positionAt))
  }

  ordinal(clip: number): number {
    return this.#ordinals[clip]!
  }

  /** The number of the record that was indexed. */
  revision(clip: number): number {
    return this.#revisions[clip]!
  }

  termHash(term: number): number {
    return this.#termHashes[term]!
  }

  /** The lists of the terms with the same hash as this one: usually one or none. */
  listsOf(term: Uint8Array): ByteRange[] {
    const hash = termHash(term)
    const ranges: ByteRange[] = []
    for (let i = lowerBound(this.#termHashes, hash); this.#termHashes[i] === hash; i++)
      ranges.push(this.listRange(i))
    return ranges
  }

  listRange(term: number): ByteRange {
    return { from: this.#listAt[term]!, to: this.#listAt[term + 1]! }
  }

  /** The digest of a part of the body, counted from 0. */
  partDigest(part: number): PageDigest {
    return { high: this.#partDigests[part * 2]!, low: this.#partDigests[part * 2 + 1]! }
  }

  /** The block of a clip. */
  blockRange(clip: number): ByteRange {
    const from = this.#listAt[this.termCount]!
    return { from: from + this.#blockAt[clip]!, to: from + this.#blockAt[clip + 1]! }
  }
}

/** The term at the beginning of a list, and the offset of the rest. */
export function termOfList(list: Uint8Array): { term: Uint8Array; at: number } {
  const reader = new ByteReader(list)
  const length = reader.varint()
  return { term: list.subarray(reader.at, reader.at + length), at: reader.at + length }
}
