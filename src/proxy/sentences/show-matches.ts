import type { Gloss } from '#contract/glosses.ts'
import { matchesShown } from '#contract/matches-shown.ts'
import type { SentenceMatch } from '#contract/sentences.ts'
import { codePointLength } from '#kit/code-points.ts'
import { separatorOf } from '#language/unspaced.ts'
import type { CueToken, TranscriptReader } from '#release/clips/transcript-reader.ts'
import { sentenceContext } from '../transcripts/sentence-context.ts'
import { placeToken } from '../transcripts/token-places.ts'

/** The position of a run of tokens in a transcript. */
export interface TokenRun {
  /** The number of its first token across all cues. */
  token: number
  tokenCount: number
  isExact: boolean
}

/**
 * Returns the first matches in time order, from ascending runs. Only the cues that may contain one
 * of them are parsed.
 *
 * @param gloss the language of the translations; null if the matches are shown without a sentence
 */
export function showMatches(
  runs: readonly TokenRun[],
  transcript: TranscriptReader,
  language: string,
  gloss: Gloss | null,
): SentenceMatch[] {
  let first: (TokenRun & { tStart: number })[] = []
  for (const run of runs) {
    const { cue, inCue } = transcript.tokenAt(run.token)
    // No later cue starts earlier.
    if (first.length === matchesShown && transcript.times(cue).tStart > first.at(-1)!.tStart) break
    const { tStart } = transcript.word(cue, inCue)
    first = [...first, { ...run, tStart }].sort((a, b) => a.tStart - b.tStart).slice(0, matchesShown)
  }
  return first.map(({ token, tokenCount, isExact }) => {
    const places = Array.from({ length: tokenCount }, (_, i) => transcript.tokenAt(token + i))
    return {
      ...showRun(places, isExact, transcript, language),
      ...(gloss && sentenceContext(transcript, { first: places[0]!, last: places.at(-1)! }, language, gloss)),
    }
  })
}

function showRun(
  tokens: readonly CueToken[],
  isExact: boolean,
  transcript: TranscriptReader,
  language: string,
): SentenceMatch {
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  const cues = [...new Set(tokens.map(({ cue }) => cue))]
  const texts = cues.map((cue) => transcript.text(cue))
  const text = texts.join(separatorOf(language))
  const firstPlace = placeToken(first, transcript, language)
  const lastPlace = first === last ? firstPlace : placeToken(last, transcript, language)
  const start = firstPlace.start
  const end = text.length - texts.at(-1)!.length + lastPlace.end
  return {
    tStart: transcript.word(first.cue, first.inCue).tStart,
    tEnd: transcript.word(last.cue, last.inCue).tEnd,
    text,
    start: codePointLength(text.slice(0, start)),
    end: codePointLength(text.slice(0, end)),
    kind: isExact ? 'exact' : 'form',
  }
}
