import { levelRank, type Level } from '#contract/levels.ts'
import { occurrencesShown, type Occurrence } from '#contract/word-clips.ts'
import type { ClipIndex, Hit, TokenisedCue } from '#indexing/index-clip.ts'
import { knownShare } from '#indexing/known-share.ts'
import { isUnspaced } from '#kit/unspaced.ts'

/**
 * An item of a published word→clips list: a clip and where it says the word. The clip is its id alone, and stands first: what else an answer shows of
 * it comes from the table of clips, so that a list changes only when what is said does.
 */
export interface ListedClip {
  clip: string
  knownShare: number
  occurrenceCount: number
  occurrences: Occurrence[]
}

/** The item of a clip in the list of a word. */
export function renderWordClip(
  { clipId, language }: { clipId: string; language: string },
  cues: readonly TokenisedCue[],
  index: ClipIndex,
  hits: readonly Hit[],
  wordLevel: Level,
): ListedClip {
  const separator = isUnspaced(language) ? '' : ' '
  return {
    clip: clipId,
    knownShare: knownShare(index.tokensByLevel, wordLevel),
    occurrenceCount: hits.length,
    occurrences: hits.slice(0, occurrencesShown).map(({ tStart, tEnd, cue, start, length }) => ({
      tStart,
      tEnd,
      form: cues[cue]!.tokens.slice(start, start + length)
        .map((token) => token.text)
        .join(separator),
      text: cues[cue]!.text,
    })),
  }
}

/**
 * A text that sorts items easiest first: by the level of the clip, then knownShare as shown, then how often the word is said, then clipId (contract 1.5).
 * They are sorted by it without being parsed.
 */
export function easiestFirstKey(level: Level, { clip, knownShare, occurrenceCount }: ListedClip): string {
  const unknown = 100 - Math.round(knownShare * 100)
  const fewness = String(mostOccurrences - occurrenceCount).padStart(9, '0')
  return `${levelRank(level)}${String(unknown).padStart(3, '0')}${fewness}${clip}`
}

const mostOccurrences = 999_999_999
