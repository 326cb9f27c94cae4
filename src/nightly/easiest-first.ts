/** How items of a word's list are told apart while they are on their way: as `easiestFirst` of the rendering room orders them. */

/** More occurrences than this count as this many. */
const mostOccurrences = 2 ** 32 - 1

/**
 * The place of an item in the order of the contract (1.5) as a number below 2⁵³: by level, then knownShare as shown (descending), then
 * how often the word is said (descending). Items of the same number go by clipId.
 */
export function hardness(levelRank: number, knownShare: number, occurrenceCount: number): number {
  const unknown = 100 - Math.round(knownShare * 100)
  return (levelRank * 101 + unknown) * 2 ** 32 + (mostOccurrences - Math.min(occurrenceCount, mostOccurrences))
}
