import { bands, type Level } from '#contract/levels.ts'
import { isWorthier } from '#indexing/focus-word.ts'
import { eachPosting, type Posting, type Postings } from '#release/postings-table.ts'

/** What is to be known of a catalogue word once the lists of clips are made. */
export interface CountedWord {
  /** `bandNumber` of its level. */
  band: number
  clipCount: number
}

/** A focus word. */
export type FocusWord = Posting & { clipCount: number }

/** The number of the band that a level is, 0 for A2; −1 for A1, which is none. */
export function bandNumber(level: Level): number {
  return (bands as readonly Level[]).indexOf(level)
}

/** The focus words of a clip by band, A2 to C2, out of the words said in it. */
export function focusWords(
  said: Postings,
  wordOf: (wordId: number) => CountedWord,
): (FocusWord | undefined)[] {
  const best: (FocusWord | undefined)[] = bands.map(() => undefined)
  eachPosting(said, (wordId, occurrenceCount, tStartMs) => {
    const { band, clipCount } = wordOf(wordId)
    if (band < 0) return
    const candidate = { wordId, occurrenceCount, tStartMs, clipCount }
    if (best[band] === undefined || isWorthier(candidate, best[band])) best[band] = candidate
  })
  return best
}
