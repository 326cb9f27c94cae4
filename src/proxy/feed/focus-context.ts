import type { Occurrence } from '#contract/word-clips.ts'
import type { Gloss } from '#contract/glosses.ts'
import { codePointLength } from '#kit/code-points.ts'
import { separatorOf } from '#language/unspaced.ts'
import { TermVectorReader } from '#release/clips/term-vector.ts'
import type { TranscriptReader } from '#release/clips/transcript-reader.ts'
import type { Release } from '#release/release.ts'
import { sentenceContext, spanAt } from '../transcripts/sentence-context.ts'
import { placeToken } from '../transcripts/token-places.ts'

/** The terms of the current clip. They are read immediately, so all calls share the reader. */
const term = new TermVectorReader()

/**
 * Returns the tokens of a word's first occurrence in a clip, from its transcript, as in the word's
 * list, with their sentence.
 *
 * @throws {RangeError} the transcript does not contain these tokens
 */
export function contextOf(
  transcript: TranscriptReader,
  row: number,
  wordRow: number,
  { language, gloss }: { language: string; gloss: Gloss },
  release: Release,
): Occurrence {
  const { first } = release.words.rangeOf(language)
  const number = release.words.numberOf(wordRow)! - first
  release.clips.readTerms(row, term)
  while (term.nextFirst() && term.words[term.place] !== number);
  const { tStartMs, runLength } = term
  let before = term.tokensBefore
  const toMs = (time: number) => Math.round(time * 1000)
  // The times of words lie within those of their cue, and no later cue starts earlier.
  for (let i = 0; transcript.hasCue(i); i++) {
    const { tStart, tEnd } = transcript.times(i)
    if (toMs(tStart) > tStartMs) break
    if (toMs(tEnd) < tStartMs) continue
    const places = transcript.placesAt(i, tStartMs / 1000)
    const from = places[before]
    before -= places.length
    if (from === undefined) continue
    const run = Array.from({ length: runLength }, (_, k) => transcript.word(i, from + k))
    const text = transcript.text(i)
    const span = spanAt(i, from, runLength)
    const { start } = placeToken(span.first, transcript, language)
    const { end } = placeToken(span.last, transcript, language)
    return {
      tStart: run[0]!.tStart,
      tEnd: run.at(-1)!.tEnd,
      form: run.map((word) => word.text).join(separatorOf(language)),
      text,
      start: codePointLength(text.slice(0, start)),
      end: codePointLength(text.slice(0, end)),
      ...sentenceContext(transcript, span, language, gloss),
    }
  }
  throw new RangeError(`cannot show what is said at ${tStartMs} ms: the transcript has no such token`)
}
