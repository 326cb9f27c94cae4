import { occurrencesShown, type Occurrence } from '#contract/word-clips.ts'
import type { Hit } from '#indexing/index-clip.ts'
import type { Spelling } from '#indexing/lexicon.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'
import { codePointLength } from '#kit/code-points.ts'
import { placeRun, placeTokens, type Place } from '#language/place-tokens.ts'
import { isUnspaced } from '#language/unspaced.ts'

/**
 * Raised when the items of lists or the term vectors change: those that earlier nights have cached
 * are then made again. A test has an item.
 */
export const itemsVersion = 2

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

/** Renders the items of one clip for the lists of its words. */
export class ItemRenderer {
  readonly #clip: { clipId: string; language: string }
  readonly #cues: readonly TokenisedCue[]
  readonly #spellings: readonly Spelling[][]
  /** By cue: where its tokens stand in its text, once that was needed. */
  readonly #places: (Place | null)[][] = []

  /** `spellings` are by cue and token. */
  constructor(
    clip: { clipId: string; language: string },
    cues: readonly TokenisedCue[],
    spellings: readonly Spelling[][],
  ) {
    this.#clip = clip
    this.#cues = cues
    this.#spellings = spellings
  }

  /** The item of a word with these hits, which are in time order. */
  item(knownShare: number, hits: readonly Hit[]): ListedClip {
    return {
      clip: this.#clip.clipId,
      knownShare,
      occurrenceCount: hits.length,
      occurrences: hits.slice(0, occurrencesShown).map((hit) => this.#occurrence(hit)),
    }
  }

  #occurrence({ tStart, tEnd, cue, start: first, length }: Hit): Occurrence {
    const { language } = this.#clip
    const { text, tokens } = this.#cues[cue]!
    const said = tokens.slice(first, first + length).map((token) => token.text)
    const form = said.join(isUnspaced(language) ? '' : ' ')
    const places = (this.#places[cue] ??= placeTokens(
      text,
      this.#spellings[cue]!.map(({ caseKey }) => caseKey),
      language,
    ))
    const { start, end } = placeRun(places, first, first + length, text.length)
    const before = codePointLength(text.slice(0, start))
    return {
      tStart,
      tEnd,
      form,
      text,
      start: before,
      end: before + codePointLength(text.slice(start, end)),
    }
  }
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
  const unknown = shares - 1 - Math.round(knownShare * (shares - 1))
  return (levelRank * shares + unknown + 1) * 2 ** 32 - 1 - Math.min(occurrenceCount, mostOccurrences)
}

/** The rank of the clip's level. */
export function levelRankOf(sortKey: number): number {
  return Math.floor(sortKey / 2 ** 32 / shares)
}
