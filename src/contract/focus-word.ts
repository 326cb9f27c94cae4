/** A catalogue word of a band that is said in a clip. */
export interface Candidate {
  wordId: number
  /** How often it is said in the clip. */
  occurrenceCount: number
  /** How many clips it is said in. */
  clipCount: number
}

/** Fewer clips than this give a learner nothing to practise with. */
const enoughClips = 3

/**
 * Whether one word of a band is more worth teaching in a clip than another: words in at least 3
 * clips come before the others, then the one said most often here, then the rarer, then the lower
 * id (contract 1.5). The best one is the focus word.
 */
export function isBetterFocus(a: Candidate, b: Candidate): boolean {
  const worth =
    Number(a.clipCount >= enoughClips) - Number(b.clipCount >= enoughClips) ||
    a.occurrenceCount - b.occurrenceCount ||
    b.clipCount - a.clipCount ||
    b.wordId - a.wordId
  return worth > 0
}
