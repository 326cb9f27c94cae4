import { levels, type Level } from '#contract/levels.ts'
import type { SourceCue } from '#corpus/source-clip.ts'
import { share } from '#kit/round.ts'
import type { ClipAnalyser } from './clip-analyser.ts'
import { indexClip } from './index-clip.ts'
import type { Lexicon } from './lexicon.ts'
import { tokeniseCues } from './tokenise.ts'

/**
 * The share of the running words that a reader must know to follow a text (Laufer and
 * Ravenhorst-Kalovski, "Lexical threshold revisited", Reading in a Foreign Language 22.1, 2010).
 */
const enough = 0.95
/** With fewer catalogue tokens a single word would decide. */
const fewestTokens = 20

/**
 * The lowest level at which 95 % of the running catalogue tokens of a clip are known, and the
 * figures behind it.
 */
export interface SuggestedLevel {
  level: Level
  /** Running tokens that are catalogue words. */
  tokens: number
  /** By level: the share of them (0 to 1, 4 decimals) whose easiest word is at or below it. */
  knownShare: Record<Level, number>
}

/**
 * Suggests the level of a clip from the words said in it; null if fewer than 20 tokens are
 * catalogue words.
 */
export function suggestLevel(
  cues: readonly SourceCue[],
  lexicon: Lexicon,
  analyser?: ClipAnalyser,
): SuggestedLevel | null {
  const tokenised = tokeniseCues(cues, lexicon.language)
  analyser?.analyse(tokenised, null)
  const { tokensByLevel } = indexClip(tokenised, lexicon)
  const tokens = tokensByLevel.reduce((sum, count) => sum + count, 0)
  if (tokens < fewestTokens) return null
  let known = 0
  const shares = levels.map((level, i) => {
    known += tokensByLevel[i]!
    return { level, known, share: share(known, tokens, 4) }
  })
  return {
    level: shares.find((at) => at.known >= tokens * enough)!.level,
    tokens,
    knownShare: Object.fromEntries(shares.map((at) => [at.level, at.share])) as Record<Level, number>,
  }
}
