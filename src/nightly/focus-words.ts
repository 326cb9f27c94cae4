import { bands, levels, type Level } from '#contract/levels.ts'
import { isWorthier, type Candidate } from '#indexing/focus-word.ts'
import { postingWords } from '#release/postings-table.ts'

/** What is to be known of a catalogue word once the lists of clips are made. */
export interface CountedWord {
  level: Level
  clipCount: number
}

/** A focus word and where it is first said, in milliseconds. */
export interface FocusWord extends Candidate {
  tStartMs: number
}

/** By the rank of a level, the place of the band that it is: −1 for A1, which is none. */
const bandOfRank = levels.map((level) => (bands as readonly Level[]).indexOf(level))
const rankOf = Object.fromEntries(levels.map((level, rank) => [level, rank])) as Record<Level, number>

/** The focus words of a clip by band, A2 to C2, out of the words said in it (`postingWords` numbers each). */
export function focusWords(
  said: Uint32Array,
  wordOf: (wordId: number) => CountedWord,
): (FocusWord | undefined)[] {
  const best: (FocusWord | undefined)[] = bands.map(() => undefined)
  for (let i = 0; i < said.length; i += postingWords) {
    const { level, clipCount } = wordOf(said[i]!)
    const band = bandOfRank[rankOf[level]]!
    if (band < 0) continue
    const candidate = { wordId: said[i]!, occurrenceCount: said[i + 1]!, tStartMs: said[i + 2]!, clipCount }
    if (best[band] === undefined || isWorthier(candidate, best[band])) best[band] = candidate
  }
  return best
}
