import { levelRank } from '#contract/levels.ts'
import { occurrencesShown, type Occurrence } from '#contract/word-clips.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { sharesByLevel, type ClipIndex, type Hit } from '../index/index-clip.ts'
import type { TokenisedCue } from '../index/tokenise.ts'
import { codePointLength } from '#kit/code-points.ts'
import { placeRun } from '#language/place-tokens.ts'

/**
 * The version of a clip's items in lists, term vectors and data for sentence search, increased with
 * each change. Data that was cached on earlier nights is then built again. A test contains an item.
 */
export const itemsVersion = 5

/**
 * An item of a word's published list: the id of a clip, and the word's occurrences in it. All other
 * data in a response comes from the table of clips, so a list changes only if the spoken words
 * change.
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

/** The maximum number of occurrences; more count as this many. */
const mostOccurrences = 2 ** 32 - 1
/** The number of different values of `knownShare`, as shown. */
const shares = 101

/**
 * Returns the sort key of an item, as a number below 2⁵³, easiest first: the level of the clip (its
 * rank, 0 for A1), then knownShare as shown, then the number of occurrences (contract 1.5). Items
 * with equal keys are ordered by clipId.
 */
export function sortKeyOf(
  levelRank: number,
  { knownShare, occurrenceCount }: Pick<ListedClip, 'knownShare' | 'occurrenceCount'>,
): number {
  const unknownShare = shares - 1 - Math.round(knownShare * (shares - 1))
  return (levelRank * shares + unknownShare + 1) * 2 ** 32 - 1 - Math.min(occurrenceCount, mostOccurrences)
}
