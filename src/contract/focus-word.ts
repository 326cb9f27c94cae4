/** A catalogue word at the level of a band that occurs in a clip. */
export interface Candidate {
  wordId: number
  /** The number of its occurrences in the clip. */
  occurrenceCount: number
  /** The number of clips in which it occurs. */
  clipCount: number
}

/** The minimum number of clips in which a learner can practise a word. */
const enoughClips = 3

/**
 * Whether word `a` is a better focus word for a clip than word `b`. Words in at least 3 clips are
 * preferred, then the word with more occurrences in the clip, then the word in fewer clips, then
 * the lower id.
 */
export function isBetterFocus(a: Candidate, b: Candidate): boolean {
  const worth =
    Number(a.clipCount >= enoughClips) - Number(b.clipCount >= enoughClips) ||
    a.occurrenceCount - b.occurrenceCount ||
    b.clipCount - a.clipCount ||
    b.wordId - a.wordId
  return worth > 0
}
