import type { FeedClip } from '#contract/clip.ts'
import type { Level } from '#contract/levels.ts'
import { levelRank } from '#contract/levels.ts'
import { occurrencesShown, type WordClip } from '#contract/word-clips.ts'
import type { ClipIndex, Hit, TokenisedCue } from '#indexing/index-clip.ts'
import { knownShare } from '#indexing/known-share.ts'
import { isUnspaced } from '#kit/unspaced.ts'

/** The item of a word→clips list: one clip and where it says the word. */
export function renderWordClip(
  clip: FeedClip,
  cues: readonly TokenisedCue[],
  index: ClipIndex,
  hits: readonly Hit[],
  wordLevel: Level,
): WordClip {
  const separator = isUnspaced(clip.language) ? '' : ' '
  return {
    clip,
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

/** A text that sorts as `easiestFirst` does, so that items may be sorted by it without being parsed. */
export function easiestFirstKey({ clip, knownShare, occurrenceCount }: WordClip): string {
  const unknown = 100 - Math.round(knownShare * 100)
  const fewness = String(mostOccurrences - occurrenceCount).padStart(9, '0')
  return `${levelRank(clip.level)}${String(unknown).padStart(3, '0')}${fewness}${clip.clipId}`
}

const mostOccurrences = 999_999_999

/** Easiest first: by level, then knownShare as shown, then how often it is said, then clipId (contract 1.5). */
export function easiestFirst(a: WordClip, b: WordClip): number {
  return (
    levelRank(a.clip.level) - levelRank(b.clip.level) ||
    b.knownShare - a.knownShare ||
    b.occurrenceCount - a.occurrenceCount ||
    (a.clip.clipId < b.clip.clipId ? -1 : 1)
  )
}
