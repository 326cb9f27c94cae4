import { caseKey } from '#language/lower-case.ts'
import { placeRun, placeTokens, type Place } from '#language/place-tokens.ts'
import type { TranscriptWord } from '#contract/transcript.ts'
import type { CueToken, TimedWord, TranscriptReader } from '#release/clips/transcript-reader.ts'

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

/** A run of tokens of a transcript. */
export interface SpokenRun {
  first: CueToken
  last: CueToken
  /** The start of the first word, in seconds. */
  tStart: number
  /** The end of the last word, in seconds. */
  tEnd: number
  /** The position of its start in the text of its first cue, in UTF-16 units. */
  start: number
  /** The position of its end in the text of its last cue, in UTF-16 units. */
  end: number
}

/**
 * Returns the run between two tokens. The position of a token that the text does not show is
 * between its neighbours. Most often, only these two words are parsed.
 */
export function readRun(
  first: CueToken,
  last: CueToken,
  transcript: TranscriptReader,
  language: string,
): SpokenRun {
  const firstWord = transcript.word(first.cue, first.inCue)
  const isOneWord = first.cue === last.cue && first.inCue === last.inCue
  const lastWord = isOneWord ? firstWord : transcript.word(last.cue, last.inCue)
  const { start } = placeToken(first, firstWord, transcript, language)
  const { end } = placeToken(last, lastWord, transcript, language)
  return { first, last, tStart: firstWord.tStart, tEnd: lastWord.tEnd, start, end }
}

function placeToken(
  { cue, inCue }: CueToken,
  { start, end }: TimedWord,
  transcript: TranscriptReader,
  language: string,
): Place {
  const text = transcript.text(cue)
  if (start !== undefined && !surrogate.test(text)) return { start, end: end! }
  const places = tokenPlaces(text, transcript.words(cue), language)
  return placeRun(places, inCue, inCue + 1, text.length)
}
