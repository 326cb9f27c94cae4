import { ByteReader } from '#kit/byte-reader.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { sentencesPath } from '../paths.ts'
import { openTable } from '../table-file.ts'
import { segmentName, termHash, type SegmentEntry } from './layout.ts'

/** Bytes of a segment's body. */
export interface ByteRange {
  from: number
  to: number
}

/**
 * A segment with its head in memory, which tells where to read the body. Its clips are numbered
 * from 0, in the order of their ordinals.
 */
export class Segment {
  readonly entry: SegmentEntry
  /** By clip, the position at which it begins; finally, where the last ends. */
  readonly positionAt: Int32Array
  /** By clip, the first 32 bits of its id. */
  readonly ids: Uint32Array
  /** By clip, the rank of its level. */
  readonly levels: Uint8Array
  readonly #termHashes: Uint32Array
  readonly #listAt: Uint32Array
  readonly #partDigests: Uint32Array

  /** @throws {SyntaxError} when the bytes are not a head of this version */
  constructor(head: Uint8Array<ArrayBuffer>, entry: SegmentEntry) {
    const sections = openTable(head, 'sentences', sentencesPath(entry.language, segmentName(entry), 0))
    this.entry = entry
    const { buffer, byteOffset, length } = sections.u32('positionAt')
    this.positionAt = new Int32Array(buffer, byteOffset, length)
    this.ids = sections.u32('ids')
    this.levels = sections.u8('levels')
    this.#termHashes = sections.u32('termHashes')
    this.#listAt = sections.u32('listAt')
    this.#partDigests = sections.u32('partDigests')
  }

  /** Where the lists of the terms with the same hash as this one stand: usually one or none. */
  listsOf(term: string): ByteRange[] {
    const hash = termHash(term)
    const ranges: ByteRange[] = []
    for (let i = lowerBound(this.#termHashes, hash); this.#termHashes[i] === hash; i++)
      ranges.push({ from: this.#listAt[i]!, to: this.#listAt[i + 1]! })
    return ranges
  }

  /** The first 64 bits of the SHA-256 of a part of the body, counted from 0, in hexadecimal. */
  partDigest(part: number): string {
    const halves = this.#partDigests.subarray(part * 2, part * 2 + 2)
    return Array.from(halves, (half) => half.toString(16).padStart(8, '0')).join('')
  }
}

/** The term at the beginning of a list, and the offset of its positions. */
export function termOfList(list: Buffer): { term: string; at: number } {
  const reader = new ByteReader(list)
  const length = reader.varint()
  return { term: list.toString('utf8', reader.at, reader.at + length), at: reader.at + length }
}
