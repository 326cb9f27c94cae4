import { bands, levelRank, levels, type Level } from '#contract/levels.ts'
import { isWorthier } from '#indexing/focus-word.ts'
import { eachPosting, type Posting, type Postings } from '#release/postings-table.ts'

/** What is to be known of a catalogue word once the lists of clips are made. */
export interface CountedWord {
  level: Level
  clipCount: number
}

/** A focus word. */
export type FocusWord = Posting & { clipCount: number }

/** By the rank of a level, the place of the band that it is: −1 for A1, which is none. */
const bandOfRank = levels.map((level) => (bands as readonly Level[]).indexOf(level))

/** The focus words of a clip by band, A2 to C2, out of the words said in it. */
export function focusWords(
  said: Postings,
  wordOf: (wordId: number) => CountedWord,
): (FocusWord | undefined)[] {
  const best: (FocusWord | undefined)[] = bands.map(() => undefined)
  eachPosting(said, (wordId, occurrenceCount, tStartMs) => {
    const { level, clipCount } = wordOf(wordId)
    const band = bandOfRank[levelRank(level)]!
    if (band < 0) return
    const candidate = { wordId, occurrenceCount, tStartMs, clipCount }
    if (best[band] === undefined || isWorthier(candidate, best[band])) best[band] = candidate
  })
  return best
}
