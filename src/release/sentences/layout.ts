import { bytesHash } from '#kit/text-hash.ts'
import type { Manifest } from '../manifest.ts'
import { sentencesPath } from '../paths.ts'

/**
 * A segment of the sentence index: the clips and terms of one language (FORMAT.md, "Sentences").
 *
 *     head      a file with a table: the clips, the hashes of the terms, the offsets of the list of
 *               each term and the block of each clip, and the digest of each part
 *     body      the lists, each a term followed by its places; then the blocks, the speech of each
 *               clip. It is split into files of `partBytes`, which are read on demand
 */

/** The size of a part of the body; the last may be smaller. */
export const partBytes = 1 << 18

/** A segment as the manifest names it. */
export type SegmentEntry = Manifest['sentences'][number]

/** The part of its file names that identifies a segment. */
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
