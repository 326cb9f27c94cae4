import { textHash } from '#kit/text-hash.ts'
import type { Manifest } from '../manifest.ts'
import { sentencesPath } from '../paths.ts'

/**
 * A segment of the sentence index: the positions of terms in some clips (FORMAT.md, "Sentences").
 *
 *     head      a file with a table: the clips, the hashes of the terms, the offset of the list of
 *               each term, and the digest of each part of the body
 *     body      the lists, each a term followed by its positions. It is split into files of
 *               `partBytes`, which are read on demand
 */

export const tableName = 'sentences'
export const columns = {
  /** The start position of each clip, and at last the end of the last one. */
  positionAt: 'u32',
  /** The first 32 bits of each clip's id. */
  ids: 'u32',
  termHashes: 'u32',
  listAt: 'u32',
  partDigests: 'u8',
} as const

export const segmentOrdinals = 1 << 14

/** The size of a part of the body; the last may be smaller. */
export const partBytes = 1 << 17

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

/** The term at the end of a sentence. */
export const endTerm = ''

/**
 * The term of a catalogue word. In languages with spaces between words, it occurs at every token
 * that is indexed under the word. In others, it occurs only where the word starts, and there is a
 * term for each number of tokens.
 */
export function wordTerm(wordId: number, tokenCount = 1): string {
  return tokenCount === 1 ? `\0${wordId}` : `\0${wordId}\0${tokenCount}`
}

/** Returns the hash by which terms are sorted, then by code unit. */
export function termHash(term: string): number {
  return textHash(term)
}
