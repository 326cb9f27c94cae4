import { bytesHash } from '#kit/text-hash.ts'
import { sentencesPath } from '../paths.ts'

/**
 * A segment of the sentence index: the clips and terms of one language (FORMAT.md, "Sentences").
 *
 *     head      a file, a table: the clips, the terms by hash, where the list of each term begins
 *               and the block of each clip, the digest of each part
 *     body      the lists, each the term and behind it where it is said; then the blocks, the
 *               speech of each clip; cut into files of `partBytes`, which are read on demand
 */

/** The size of a part of the body; the last may be smaller. */
export const partBytes = 1 << 18

/** A segment as the manifest names it. */
export interface SegmentEntry {
  language: string
  /**
   * SHA-256 (hex) of the head, which holds those of the parts; its beginning is in the names of
   * all.
   */
  digest: string
  parts: number
  clips: number
  tokens: number
}

/** The name of a segment in those of its files. */
export function segmentName({ digest }: Pick<SegmentEntry, 'digest'>): string {
  return digest.slice(0, 16)
}

/** The files of a segment, the head first. */
export function segmentPaths(entry: SegmentEntry): string[] {
  return Array.from({ length: entry.parts + 1 }, (_, part) =>
    sentencesPath(entry.language, segmentName(entry), part),
  )
}

/** The order of terms: by hash, then by bytes. */
export function compareTerms(aHash: number, a: Uint8Array, bHash: number, b: Uint8Array): number {
  return aHash - bHash || Buffer.compare(a, b)
}

export function termHash(term: Uint8Array): number {
  return bytesHash(term, 0, term.length)
}
