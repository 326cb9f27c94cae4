import type { Gloss } from '#contract/glosses.ts'
import { matchesShown, type SentenceMatch } from '#contract/sentences.ts'
import { codePointLength } from '#kit/code-points.ts'
import { placeRun, type Place } from '#language/place-tokens.ts'
import { separatorOf } from '#language/unspaced.ts'
import type { Cue, TranscriptReader } from '#release/clips/transcript-reader.ts'
import { sentenceContext } from '../transcripts/sentence-context.ts'
import { tokenPlaces } from '../transcripts/token-places.ts'

/** Where a run of tokens is said in a transcript. */
export interface TokenRun {
  /** The number of its first token across all cues. */
  token: number
  tokenCount: number
  isExact: boolean
}

/**
 * The first matches in time order, of runs that are ascending. Only the cues that may hold one of
 * these are parsed.
 *
 * @param gloss of the translations of sentences; null if the matches are shown without a sentence
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
    const { tStart } = transcript.cue(cue).words[inCue]!
    first = [...first, { ...run, tStart }].sort((a, b) => a.tStart - b.tStart).slice(0, matchesShown)
  }
  return first.map(({ token, tokenCount, isExact }) => {
    const places = Array.from({ length: tokenCount }, (_, i) => transcript.tokenAt(token + i))
    const tokens = places.map(({ cue, inCue }) => ({ cue: transcript.cue(cue), inCue }))
    const span = { first: places[0]!, last: places.at(-1)! }
    return {
      ...showRun(tokens, isExact, language),
      ...(gloss && sentenceContext(transcript, span, language, gloss)),
    }
  })
}

/** A token, by its place in its cue. */
interface PlacedToken {
  cue: Cue
  inCue: number
}

function showRun(tokens: readonly PlacedToken[], isExact: boolean, language: string): SentenceMatch {
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  const separator = separatorOf(language)
  const texts = [...new Set(tokens.map(({ cue }) => cue))].map(({ text }) => text)
  const text = texts.join(separator)
  const start = placeOf(first, language).start
  const end = text.length - last.cue.text.length + placeOf(last, language).end
  return {
    tStart: first.cue.words[first.inCue]!.tStart,
    tEnd: last.cue.words[last.inCue]!.tEnd,
    text,
    start: codePointLength(text.slice(0, start)),
    end: codePointLength(text.slice(0, end)),
    kind: isExact ? 'exact' : 'form',
  }
}

/** Where a token stands in its cue. */
function placeOf({ cue, inCue }: PlacedToken, language: string): Place {
  return placeRun(tokenPlaces(cue, language), inCue, inCue + 1, cue.text.length)
}
