import { levelRank } from '#contract/levels.ts'
import { occurrencesShown, type Occurrence } from '#contract/word-clips.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { sharesByLevel, type ClipIndex, type Hit } from '../index/index-clip.ts'
import type { TokenisedCue } from '../index/tokenise.ts'
import { codePointLength } from '#kit/code-points.ts'
import { placeRun } from '#language/place-tokens.ts'

/**
 * Raised when the items of lists, the term vectors or what sentence search needs of a clip change:
 * what earlier nights have cached is then made again. A test has an item.
 */
export const itemsVersion = 5

/**
 * An item of a published word→clips list: a clip and where the word is said in it. The clip is
 * given by its id alone, which comes first. What else an answer shows of it comes from the table of
 * clips, so a list changes only when what is said changes.
 */
export interface ListedClip {
  clip: string
  knownShare: number
  occurrenceCount: number
  occurrences: Occurrence[]
}

/** Renders the items of one clip for the lists of its words, each with its word. */
export function* renderItems(
  clipId: string,
  cues: readonly TokenisedCue[],
  { hits, places, tokensByLevel }: ClipIndex,
): Generator<[CatalogueWord, ListedClip]> {
  const shares = sharesByLevel(tokensByLevel)
  const occurrence = ({ tStart, tEnd, cue, start: first, length, form }: Hit): Occurrence => {
    const { text } = cues[cue]!
    const { start, end } = placeRun(places[cue]!, first, first + length, text.length)
    const before = codePointLength(text.slice(0, start))
    return { tStart, tEnd, form, text, start: before, end: before + codePointLength(text.slice(start, end)) }
  }
  for (const [word, wordHits] of hits)
    yield [
      word,
      {
        clip: clipId,
        knownShare: shares[levelRank(word.level)]!,
        occurrenceCount: wordHits.length,
        occurrences: wordHits.slice(0, occurrencesShown).map(occurrence),
      },
    ]
}

/** More occurrences than this count as this many. */
const mostOccurrences = 2 ** 32 - 1
/** How many values `knownShare` has, as shown. */
const shares = 101

/**
 * What an item is sorted by, as a number below 2⁵³, easiest first: the level of the clip (its rank,
 * 0 for A1), then knownShare as shown, then how often the word is said (contract 1.5). Items with
 * equal keys are ordered by clipId.
 */
export function sortKeyOf(
  levelRank: number,
  { knownShare, occurrenceCount }: Pick<ListedClip, 'knownShare' | 'occurrenceCount'>,
): number {
  const unknownShare = shares - 1 - Math.round(knownShare * (shares - 1))
  return (levelRank * shares + unknownShare + 1) * 2 ** 32 - 1 - Math.min(occurrenceCount, mostOccurrences)
}
