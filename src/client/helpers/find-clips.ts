import type { CallOptions } from '../call-options.ts'
import { ClipLookupError } from '../error.ts'
import type {
  FeedClip,
  ListWordClipsParameters,
  Occurrence,
  Operations,
  SentenceClip,
  SentenceMatch,
  Word,
  WordClip,
} from '../operations.ts'

/** A clip in which a text is said. */
export interface FoundClip {
  clip: FeedClip
  count: number
  moments: (Occurrence | SentenceMatch)[]
  /** The number of words that are new to the learner. Only with `known`. */
  unknownCount?: number | undefined
}

/** The clips in which a text is said. */
export interface FoundClips {
  /** The word that the text spells; null if it is not a word and sentences were searched. */
  word: Word | null
  items: FoundClip[]
  totalCount: number | null
  nextCursor: string | null
}

/**
 * Finds the clips in which a text is said: as a word in all its forms or, if the catalogue has no
 * such word, in sentences. The second case takes two look-ups.
 */
export async function findClips(
  client: Pick<Operations, 'listWordClips' | 'searchSentences'>,
  text: string,
  parameters: Omit<ListWordClipsParameters, 'word' | 'cursor'> = {},
  options?: CallOptions,
): Promise<FoundClips> {
  try {
    const page = await client.listWordClips({ ...parameters, word: text }, options)
    const items = page.items.map((item) => toFoundClip(item, item.occurrenceCount, item.occurrences))
    return { ...page, items }
  } catch (error) {
    if (!(error instanceof ClipLookupError) || !error.is('not_found')) throw error
  }
  const page = await client.searchSentences({ ...parameters, q: text }, options)
  const items = page.items.map((item) => toFoundClip(item, item.matchCount, item.matches))
  return { ...page, word: null, items }
}

function toFoundClip(
  { clip, unknownCount }: WordClip | SentenceClip,
  count: number,
  moments: (Occurrence | SentenceMatch)[],
): FoundClip {
  return { clip, count, moments, ...(unknownCount === undefined ? {} : { unknownCount }) }
}
