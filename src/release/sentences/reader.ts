import { ByteReader } from '#kit/byte-reader.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import type { PageDigest } from '../page-digest.ts'
import { sentencesPath } from '../paths.ts'
import { openTable } from '../table-file.ts'
import { segmentName, termHash, type SegmentEntry } from './layout.ts'

/** Bytes of a segment's body. */
export interface ByteRange {
  from: number
  to: number
}

/**
 * A segment whose head is in memory: it tells which bytes of the body to read. Clips are numbered
 * within the segment.
 */
export class Segment {
  readonly entry: SegmentEntry
  readonly #ordinals: Uint32Array
  readonly #revisions: Uint32Array
  readonly #blockAt: Uint32Array
  readonly #termHashes: Uint32Array
  readonly #listAt: Uint32Array
  readonly #partDigests: Uint32Array

  /** @throws {SyntaxError} when the bytes are no head of this version */
  constructor(head: Uint8Array<ArrayBuffer>, entry: SegmentEntry) {
    const sections = openTable(head, 'sentences', sentencesPath(entry.language, segmentName(entry), 0))
    this.entry = entry
    this.#ordinals = sections.u32('ordinals')
    this.#revisions = sections.u32('revisions')
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

  ordinal(clip: number): number {
    return this.#ordinals[clip]!
  }

  /** Which of its records was published when the clip was indexed. */
  revision(clip: number): number {
    return this.#revisions[clip]!
  }

  termHash(term: number): number {
    return this.#termHashes[term]!
  }

  /** Where the lists of the terms with the hash of this one stand: mostly one, or none. */
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

  /** Where the speech of a clip stands. */
  blockRange(clip: number): ByteRange {
    const from = this.#listAt[this.termCount]!
    return { from: from + this.#blockAt[clip]!, to: from + this.#blockAt[clip + 1]! }
  }
}

/** The term that a list begins with, and where the rest begins. */
export function termOfList(list: Uint8Array): { term: Uint8Array; at: number } {
  const reader = new ByteReader(list)
  const length = reader.varint()
  return { term: list.subarray(reader.at, reader.at + length), at: reader.at + length }
}
