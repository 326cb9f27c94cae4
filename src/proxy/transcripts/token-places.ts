import { caseKey } from '#language/lower-case.ts'
import { placeTokens, type Place } from '#language/place-tokens.ts'
import type { TranscriptWord } from '#contract/transcript.ts'

/**
 * Returns the position of each word of a cue in its text, in UTF-16 units; null for one that the
 * text does not show.
 */
export function tokenPlaces(
  text: string,
  words: readonly TranscriptWord[],
  language: string,
): (Place | null)[] {
  // Transcripts that were published before they had positions have none. Where each character is
  // one unit, the positions need no conversion.
  if (words.some(({ start }) => start !== undefined) && !/[\ud800-\udfff]/.test(text))
    return words.map(({ start, end }) => (start === undefined ? null : { start, end: end! }))
  const keys = words.map((word) => caseKey(word.text, language))
  return placeTokens(text, keys, language)
}
