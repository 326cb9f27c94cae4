import { ByteReader } from '#kit/byte-reader.ts'
import { packVarints } from '#kit/varint.ts'

/** A word as it is said in a clip. */
export interface Posting {
  wordId: number
  occurrenceCount: number
  /** When it is first said, in milliseconds. */
  tStartMs: number
}

/** The words said in a clip: three varints for each. */
export type Postings = Uint8Array

export function packPostings(postings: readonly Posting[]): Postings {
  return packVarints(
    postings.flatMap(({ wordId, occurrenceCount, tStartMs }) => [wordId, occurrenceCount, tStartMs]),
  )
}

/**
 * Iterates over the words said in a clip: `while (reader.next())`. A corpus has millions of them, so
 * no object is made of any: the fields hold each until the next.
 */
export class PostingReader implements Posting {
  wordId = 0
  occurrenceCount = 0
  tStartMs = 0
  readonly #reader: ByteReader<Postings>

  constructor(packed: Postings) {
    this.#reader = new ByteReader(packed)
  }

  next(): boolean {
    const reader = this.#reader
    if (reader.at >= reader.bytes.length) return false
    this.wordId = reader.varint()
    this.occurrenceCount = reader.varint()
    this.tStartMs = reader.varint()
    return true
  }
}

const slabBytes = 1 << 20

/** The postings of many clips, end to end in few pieces of memory. */
export class PostingStore {
  readonly #slabs = [new Uint8Array(slabBytes)]
  #used = 0
  readonly #places: { slab: number; from: number; to: number }[] = []

  /** Adds those of a clip, under the row that it has in the table of clips. */
  set(row: number, postings: Postings): void {
    if (this.#used + postings.length > slabBytes) {
      this.#slabs.push(new Uint8Array(Math.max(slabBytes, postings.length)))
      this.#used = 0
    }
    const slab = this.#slabs.length - 1
    this.#slabs[slab]!.set(postings, this.#used)
    this.#places[row] = { slab, from: this.#used, to: this.#used + postings.length }
    this.#used += postings.length
  }

  of(row: number): Postings {
    const { slab, from, to } = this.#places[row]!
    return this.#slabs[slab]!.subarray(from, to)
  }
}
