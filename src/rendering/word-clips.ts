import type { Occurrence } from '#contract/word-clips.ts'

/**
 * An item of a published word→clips list: a clip and where it says the word. The clip is its id
 * alone, and stands first: what else an answer shows of it comes from the table of clips, so that a
 * list changes only when what is said does.
 */
export interface ListedClip {
  clip: string
  knownShare: number
  occurrenceCount: number
  occurrences: Occurrence[]
}

/** More occurrences than this count as this many. */
const mostOccurrences = 2 ** 32 - 1
/** How many values `knownShare` has, as shown. */
const shares = 101

/**
 * The place of an item in its list as a number below 2⁵³, easiest first: by the level of the clip
 * (its rank, 0 for A1), then knownShare as shown, then how often the word is said (contract 1.5).
 * Items of the same number go by clipId.
 */
export function hardness(
  levelRank: number,
  { knownShare, occurrenceCount }: Pick<ListedClip, 'knownShare' | 'occurrenceCount'>,
): number {
  const unknown = shares - 1 - Math.round(knownShare * (shares - 1))
  return easier((levelRank * shares + unknown) * 2 ** 32 + mostOccurrences, occurrenceCount)
}

/** The hardness of an item out of that of the same one without an occurrence. */
export function easier(hardest: number, occurrenceCount: number): number {
  return hardest - Math.min(occurrenceCount, mostOccurrences)
}

/** So many occurrences and more are alike in a coarse hardness. */
const manyOccurrences = 63

/**
 * A hardness in 16 bits, never greater than that of an item that is harder; and whether only items
 * that are as hard have it.
 */
export function coarseHardness(hardness: number): { coarse: number; isExact: boolean } {
  const upper = Math.floor(hardness / 2 ** 32)
  const occurrenceCount = upper * 2 ** 32 + mostOccurrences - hardness
  const fewer = Math.max(0, manyOccurrences - occurrenceCount)
  return { coarse: upper * (manyOccurrences + 1) + fewer, isExact: fewer > 0 }
}

/** The rank of the clip's level, out of the place of its item. */
export function levelRankOf(hardness: number): number {
  return Math.floor(hardness / 2 ** 32 / shares)
}
