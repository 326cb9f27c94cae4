import type { Occurrence } from '#contract/word-clips.ts'
import type { Gloss } from '#contract/glosses.ts'
import { codePointLength } from '#kit/code-points.ts'
import { separatorOf } from '#language/unspaced.ts'
import { TermVectorReader } from '#release/clips/term-vector.ts'
import type { TranscriptReader } from '#release/clips/transcript-reader.ts'
import type { Release } from '#release/release.ts'
import { sentenceContext } from '../transcripts/sentence-context.ts'
import { readRun } from '../transcripts/token-places.ts'

/** The terms of the current clip. They are read immediately, so all calls share the reader. */
const term = new TermVectorReader()

/**
 * Returns the tokens of a word's first occurrence in a clip, with their sentence. The word's list
 * shows the same tokens for this occurrence.
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
    const first = { cue: i, inCue: from }
    const last = { cue: i, inCue: from + runLength - 1 }
    const run = readRun(first, last, transcript)
    const forms = Array.from({ length: runLength }, (_, k) => transcript.word(i, from + k).text)
    const text = transcript.text(i)
    return {
      tStart: run.tStart,
      tEnd: run.tEnd,
      form: forms.join(separatorOf(language)),
      text,
      start: codePointLength(text.slice(0, run.start)),
      end: codePointLength(text.slice(0, run.end)),
      ...sentenceContext(transcript, run, language, gloss),
    }
  }
  throw new RangeError(`cannot show what is said at ${tStartMs} ms: the transcript has no such token`)
}
