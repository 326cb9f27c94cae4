import { ByteReader } from '#kit/varint.ts'
import { sha256 } from '#kit/digest.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { ownBytes } from '#kit/own-bytes.ts'
import type { ByteRange } from '../digested-file.ts'
import { sentencesPath, type DataFile } from '../paths.ts'
import { digestAt, openTable, type Opened } from '../table-file.ts'
import type { Tree } from '../tree.ts'
import { columns, segmentName, tableName, termHash, type SegmentEntry } from './layout.ts'

/** A segment with its head in memory. Its clips are numbered from 0, in the order of ordinals. */
export class Segment {
  readonly entry: SegmentEntry
  /** The start position of each clip, and at last the end of the last one. */
  readonly positionAt: Int32Array
  readonly #columns: Opened<typeof columns>

  /** @throws {SyntaxError} the bytes are not a head of this version */
  constructor(head: Uint8Array<ArrayBuffer>, entry: SegmentEntry) {
    const path = sentencesPath(entry.language, segmentName(entry), 0)
    this.#columns = openTable(tableName, columns, head, path)
    this.entry = entry
    const { buffer, byteOffset, length } = this.#columns.positionAt
    this.positionAt = new Int32Array(buffer, byteOffset, length)
  }

  /** The first 32 bits of each clip's id. */
  get ids(): Uint32Array {
    return this.#columns.ids
  }

  /** Whether there is a list of a term with the same hash. */
  mayContain(term: string): boolean {
    const hash = termHash(term)
    return this.#columns.termHashes[lowerBound(this.#columns.termHashes, hash)] === hash
  }

  /** Returns the ranges of the lists of terms with this term's hash: usually one or none. */
  listsOf(term: string): ByteRange[] {
    const hash = termHash(term)
    const ranges: ByteRange[] = []
    for (let i = lowerBound(this.#columns.termHashes, hash); this.#columns.termHashes[i] === hash; i++)
      ranges.push({ from: this.#columns.listAt[i]!, to: this.#columns.listAt[i + 1]! })
    return ranges
  }

  /** The file of a part of the body, counted from 0. */
  part(part: number): DataFile {
    const path = sentencesPath(this.entry.language, segmentName(this.entry), part + 1)
    return { path, digest: digestAt(this.#columns.partDigests, part) }
  }
}

/** Returns the term at the beginning of a list, and the offset of its positions. */
export function termOfList(list: Buffer): { term: string; at: number } {
  const reader = new ByteReader(list)
  const length = reader.varint()
  return { term: list.toString('utf8', reader.at, reader.at + length), at: reader.at + length }
}

/**
 * The sentence index of a release: its segments, keyed by language. Only their heads are in memory.
 */
export type Segments = ReadonlyMap<string, readonly Segment[]>

/** @throws {TreeFault | SyntaxError} a file is missing or wrong */
export async function openSegments(tree: Tree, entries: readonly SegmentEntry[]): Promise<Segments> {
  const segments = entries.map(async (entry) => {
    const path = sentencesPath(entry.language, segmentName(entry), 0)
    const head = await tree.readChecked(path, (bytes) => sha256(bytes).toString('hex') === entry.digest)
    // In memory of its own, because a typed array must be aligned.
    return new Segment(ownBytes(head as Buffer<ArrayBuffer>), entry)
  })
  return Map.groupBy(await Promise.all(segments), ({ entry }) => entry.language)
}
