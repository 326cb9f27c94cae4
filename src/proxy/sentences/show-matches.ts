import type { Gloss } from '#contract/glosses.ts'
import { matchesShown } from '#contract/matches-shown.ts'
import type { SentenceMatch } from '#contract/sentences.ts'
import { codePointLength } from '#kit/code-points.ts'
import { separatorOf } from '#language/unspaced.ts'
import type { TranscriptReader } from '#release/clips/transcript-reader.ts'
import { sentenceContext } from '../transcripts/sentence-context.ts'
import { readRun, type SpokenRun } from '../transcripts/token-places.ts'

/** A run of tokens that matches a query. */
export interface MatchingRun {
  /** The number of its first token across all cues. */
  token: number
  tokenCount: number
  isExact: boolean
}

/**
 * Returns the first matches in time order, from ascending runs. Parses only the cues that may
 * contain one of them.
 *
 * @param gloss the language of the translations; null if the matches are shown without a sentence
 */
export function showMatches(
  runs: readonly MatchingRun[],
  transcript: TranscriptReader,
  language: string,
  gloss: Gloss | null,
): SentenceMatch[] {
  let first: { run: SpokenRun; isExact: boolean }[] = []
  for (const { token, tokenCount, isExact } of runs) {
    const firstToken = transcript.tokenAt(token)
    // No later cue starts earlier.
    if (first.length === matchesShown && transcript.times(firstToken.cue).tStart > first.at(-1)!.run.tStart)
      break
    const lastToken = transcript.tokenAt(token + tokenCount - 1)
    const run = readRun(firstToken, lastToken, transcript)
    first = [...first, { run, isExact }].sort((a, b) => a.run.tStart - b.run.tStart).slice(0, matchesShown)
  }
  return first.map(({ run, isExact }) => ({
    ...showRun(run, isExact, transcript, language),
    ...(gloss && sentenceContext(transcript, run, language, gloss)),
  }))
}

function showRun(
  { first, last, tStart, tEnd, start, end }: SpokenRun,
  isExact: boolean,
  transcript: TranscriptReader,
  language: string,
): SentenceMatch {
  const cues = Array.from({ length: last.cue - first.cue + 1 }, (_, i) => first.cue + i)
  const texts = cues.filter((cue) => transcript.hasWords(cue)).map((cue) => transcript.text(cue))
  const text = texts.join(separatorOf(language))
  const lastStart = text.length - texts.at(-1)!.length
  return {
    tStart,
    tEnd,
    text,
    start: codePointLength(text.slice(0, start)),
    end: codePointLength(text.slice(0, lastStart + end)),
    kind: isExact ? 'exact' : 'form',
  }
}
