import type { Occurrence } from '#contract/word-clips.ts'

/**
 * An item of a published word→clips list: a clip and where the word is said in it. The clip is
 * given by its id alone, which comes first. What else an answer shows of it comes from the table of
 * clips, so a list changes only when what is said changes.
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
 * What an item is sorted by, as a number below 2⁵³, easiest first: the level of the clip (its rank,
 * 0 for A1), then knownShare as shown, then how often the word is said (contract 1.5). Items with
 * equal keys are ordered by clipId.
 */
export function sortKeyOf(
  levelRank: number,
  { knownShare, occurrenceCount }: Pick<ListedClip, 'knownShare' | 'occurrenceCount'>,
): number {
  const unknown = shares - 1 - Math.round(knownShare * (shares - 1))
  return withOccurrences((levelRank * shares + unknown) * 2 ** 32 + mostOccurrences, occurrenceCount)
}

/** The sort key of an item, from that of the same item without occurrences. */
export function withOccurrences(baseKeys: number, occurrenceCount: number): number {
  return baseKeys - Math.min(occurrenceCount, mostOccurrences)
}

/** The rank of the clip's level. */
export function levelRankOf(sortKey: number): number {
  return Math.floor(sortKey / 2 ** 32 / shares)
}
