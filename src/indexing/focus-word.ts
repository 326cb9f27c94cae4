/** A catalogue word of a band, as it is said in one clip. */
export interface Candidate {
  wordId: number
  /** How often it is said in the clip. */
  occurrenceCount: number
  /** In how many clips it is said. */
  clipCount: number
}

/** Fewer clips than this give a learner nothing to practise with. */
const enoughClips = 3

/**
 * Whether one word of a band is more worth teaching in a clip than another: words in at least 3
 * clips go before the others, then the one said most often here, then the rarer, then the lower id
 * (contract 1.5). The one that no other is worthier than is the focus word.
 */
export function isWorthier(a: Candidate, b: Candidate): boolean {
  const worth =
    Number(a.clipCount >= enoughClips) - Number(b.clipCount >= enoughClips) ||
    a.occurrenceCount - b.occurrenceCount ||
    b.clipCount - a.clipCount ||
    b.wordId - a.wordId
  return worth > 0
}
