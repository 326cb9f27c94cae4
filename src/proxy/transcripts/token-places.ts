import { caseKey } from '#language/lower-case.ts'
import { placeRun, placeTokens, type Place } from '#language/place-tokens.ts'
import type { TranscriptWord } from '#contract/transcript.ts'
import type { CueToken, TranscriptReader } from '#release/clips/transcript-reader.ts'

/** Matches a character of two units, before and behind which positions differ from units. */
const surrogate = /[\ud800-\udfff]/

/**
 * Returns the position of each word of a cue in its text, in UTF-16 units; null for one that the
 * text does not show.
 */
export function tokenPlaces(
  text: string,
  words: readonly TranscriptWord[],
  language: string,
): (Place | null)[] {
  // Transcripts that were published before they had positions have none. If each character is one
  // unit, the positions need no conversion.
  if (words.some(({ start }) => start !== undefined) && !surrogate.test(text))
    return words.map(({ start, end }) => (start === undefined ? null : { start, end: end! }))
  const keys = words.map((word) => caseKey(word.text, language))
  return placeTokens(text, keys, language)
}

/**
 * Returns the position of a token in the text of its cue, in UTF-16 units. A token that the text
 * does not show has its place between its neighbours. Most often, only its own word is parsed.
 */
export function placeToken({ cue, inCue }: CueToken, transcript: TranscriptReader, language: string): Place {
  const text = transcript.text(cue)
  const { start, end } = transcript.word(cue, inCue)
  if (start !== undefined && !surrogate.test(text)) return { start, end: end! }
  const places = tokenPlaces(text, transcript.words(cue), language)
  return placeRun(places, inCue, inCue + 1, text.length)
}
