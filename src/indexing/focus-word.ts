/** A catalogue word of a band, as it is said in one clip. */
export interface Candidate {
  wordId: number
  /** How often it is said in the clip. */
  occurrenceCount: number
  /** Where it is first said, in seconds. */
  tStart: number
  /** In how many clips it is said. */
  clipCount: number
}

/** Fewer clips than this give a learner nothing to practise with. */
const enoughClips = 3

/**
 * The word worth teaching, of the words of one band in a clip: those in at least 3 clips before the others, then the one said most often
 * here, then the rarer, then the lower id; null where there is none (contract 1.5).
 */
export function focusWord<T extends Candidate>(candidates: readonly T[]): T | null {
  return candidates.toSorted(byWorth)[0] ?? null
}

function byWorth(a: Candidate, b: Candidate): number {
  return (
    Number(b.clipCount >= enoughClips) - Number(a.clipCount >= enoughClips) ||
    b.occurrenceCount - a.occurrenceCount ||
    a.clipCount - b.clipCount ||
    a.wordId - b.wordId
  )
}
