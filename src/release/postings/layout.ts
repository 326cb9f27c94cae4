import { levels } from '#contract/levels.ts'
import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'

/**
 * The layout of `postings.bin`, the words said in each clip (FORMAT.md), written once for the
 * writer and the reader.
 */

export const tableName = 'postings'
/** How many numbers `languages` has for each: code, first row. */
export const languageNumbers = 2

/** A word as it is said in a clip. */
export interface Posting {
  wordId: number
  occurrenceCount: number
  /** When it is first said, in milliseconds. */
  tStartMs: number
}

/**
 * What the table holds of a clip: its shares, a byte each, then three varints for every word said
 * in it. Empty for a withdrawn clip.
 */
export type Postings = Uint8Array

/**
 * Packs the postings of a clip. `shares` is the `knownShare` of its items for words of each level,
 * A1 to C2, in hundredths.
 */
export function packPostings(shares: readonly number[], postings: Iterable<Posting>): Postings {
  const out = new ByteWriter(512)
  for (const share of shares) out.byte(share)
  for (const { wordId, occurrenceCount, tStartMs } of postings) {
    out.varint(wordId)
    out.varint(occurrenceCount)
    out.varint(tStartMs)
  }
  return new Uint8Array(out.view())
}

/** The shares of a clip, by the rank of the level, in hundredths. */
export function sharesOf(packed: Postings): Uint8Array {
  return packed.subarray(0, levels.length)
}

/**
 * Iterates over the words said in clips. A corpus has millions of them, so no object is made of
 * any: the fields hold each until the next.
 */
export class PostingReader implements Posting {
  wordId = 0
  occurrenceCount = 0
  tStartMs = 0
  #reader = new ByteReader<Postings>(new Uint8Array())

  /** Begins a clip, which is then read with `while (reader.next())`. */
  begin(packed: Postings): this {
    this.#reader = new ByteReader(packed)
    this.#reader.at = levels.length
    return this
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
