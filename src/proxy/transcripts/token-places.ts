import { placeRun, type Place } from '#language/place-tokens.ts'
import type { TranscriptWord } from '#contract/transcript.ts'
import type { CueToken, TimedWord, TranscriptReader } from '#release/clips/transcript-reader.ts'

/**
 * Returns the position of each word of a cue in its text, in UTF-16 units; null for a word that the
 * text does not show.
 */
export function tokenPlaces(text: string, words: readonly TranscriptWord[]): (Place | null)[] {
  return words.map(({ start, end }) =>
    start === undefined ? null : { start: unitAt(text, start), end: unitAt(text, end!) },
  )
}

/** Converts a position in code points to UTF-16 units. */
function unitAt(text: string, position: number): number {
  return /[\ud800-\udbff]/.test(text) ? [...text].slice(0, position).join('').length : position
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
export function readRun(first: CueToken, last: CueToken, transcript: TranscriptReader): SpokenRun {
  const firstWord = transcript.word(first.cue, first.inCue)
  const isOneWord = first.cue === last.cue && first.inCue === last.inCue
  const lastWord = isOneWord ? firstWord : transcript.word(last.cue, last.inCue)
  const { start } = placeToken(first, firstWord, transcript)
  const { end } = placeToken(last, lastWord, transcript)
  return { first, last, tStart: firstWord.tStart, tEnd: lastWord.tEnd, start, end }
}

function placeToken(
  { cue, inCue }: CueToken,
  { start, end }: TimedWord,
  transcript: TranscriptReader,
): Place {
  const text = transcript.text(cue)
  if (start !== undefined) return { start: unitAt(text, start), end: unitAt(text, end!) }
  return placeRun(tokenPlaces(text, transcript.words(cue)), inCue, inCue + 1, text.length)
}
