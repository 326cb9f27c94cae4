import { bytesHash } from '#kit/text-hash.ts'

/**
 * A segment of the sentence index: one file, in which clips and terms of one language stand (FORMAT.md, "Sentences").
 *
 *     head      a table: the clips, the terms by hash, where the list of each term begins and the block of each clip
 *     lists     each the term, and behind it where it is said
 *     blocks    the speech of each clip
 */

/** A segment as the manifest names it. */
export interface SegmentEntry {
  language: string
  path: string
  /** SHA-256 (hex) of the whole file. */
  digest: string
  headBytes: number
  sizeBytes: number
  clips: number
  tokens: number
}

/** The order of terms: by hash, then by bytes. */
export function compareTerms(aHash: number, a: Uint8Array, bHash: number, b: Uint8Array): number {
  return aHash - bHash || Buffer.compare(a, b)
}

export function termHash(term: Uint8Array): number {
  return bytesHash(term, 0, term.length)
}
