import { matchesShown, type SentenceMatch } from '#contract/sentences.ts'
import type { Transcript } from '#contract/transcript.ts'
import { codePointLength } from '#kit/code-points.ts'
import { caseKey } from '#language/lower-case.ts'
import { placeTokens, type Place } from '#language/place-tokens.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { tokenAt, type Speech } from '#release/sentences/speech.ts'
import type { Run } from './runs-in.ts'

type TranscriptCue = Transcript['cues'][number]

interface TokenRun {
  /** The number of its first token across all cues. */
  token: number
  isExact: boolean
}

/** The bytes of a transcript with the cues `first … last`. */
export interface CueRange {
  first: number
  last: number
  from: number
  to: number
}

/**
 * The runs among which are the first ones in time order: the first ones by position, or all if the
 * tokens of the clip are not in time order.
 */
export function shownRuns(runs: readonly Run[], speech: Speech): TokenRun[] {
  const count = speech.isInTimeOrder ? matchesShown : runs.length
  return runs.slice(0, count).map(({ position, isExact }) => ({ token: tokenAt(position, speech), isExact }))
}

/** The range of the transcript file with the cues of these runs. */
export function cueRange(runs: readonly TokenRun[], length: number, { cues, firstCueAt }: Speech): CueRange {
  const first = cueOf(Math.min(...runs.map(({ token }) => token)), cues)
  const last = cueOf(Math.max(...runs.map(({ token }) => token)) + length - 1, cues)
  const sizeOf = (some: Speech['cues']) => some.reduce((sum, { sizeBytes }) => sum + sizeBytes + 1, 0)
  const from = firstCueAt + sizeOf(cues.slice(0, first))
  // A comma or a bracket follows the last one.
  return { first, last, from, to: from + sizeOf(cues.slice(first, last + 1)) - 1 }
}

function cueOf(token: number, cues: Speech['cues']): number {
  let left = token
  for (const [i, { tokenCount }] of cues.entries()) {
    if (left < tokenCount) return i
    left -= tokenCount
  }
  throw new RangeError(`cannot find token ${token}: the clip has fewer`)
}

/** What matches are shown from. `bytes` has the bytes of the range. */
interface Passage {
  language: string
  speech: Speech
  range: CueRange
  bytes: Buffer
}

/** The first matches in time order. Only they are shown, and each cue is parsed once. */
export function showRuns(runs: readonly TokenRun[], length: number, passage: Passage): SentenceMatch[] {
  const cues = new Map<number, TranscriptCue>()
  const cueAt = (number: number) => cues.getOrInsertComputed(number, () => readCue(number, passage))
  const found = runs.map(({ token, isExact }) => {
    const pieces = piecesOf(token, length, passage.speech, cueAt)
    const [{ cue, from }] = pieces as [Piece]
    return { token, isExact, pieces, tStart: cue.words[from]!.tStart }
  })
  found.sort((a, b) => a.tStart - b.tStart || a.token - b.token)
  return found
    .slice(0, matchesShown)
    .map(({ pieces, isExact }) => showPieces(pieces, isExact, passage.language))
}

function showPieces(pieces: readonly Piece[], isExact: boolean, language: string): SentenceMatch {
  const [first, last] = [pieces[0]!, pieces.at(-1)!]
  const separator = isUnspaced(language) ? '' : ' '
  const texts = pieces.map(({ cue }) => cue.text)
  const beforeLast = texts.slice(0, -1).reduce((sum, text) => sum + text.length + separator.length, 0)
  const text = texts.join(separator)
  const start = placeOf(first, language).start
  const end = beforeLast + placeOf(last, language).end
  return {
    tStart: first.cue.words[first.from]!.tStart,
    tEnd: last.cue.words[last.to - 1]!.tEnd,
    text,
    start: codePointLength(text.slice(0, start)),
    end: codePointLength(text.slice(0, end)),
    kind: isExact ? 'exact' : 'form',
  }
}

interface Piece {
  cue: TranscriptCue
  from: number
  to: number
}

/** The cues that a run lies in, each with its tokens `from … to` there. */
function piecesOf(
  token: number,
  length: number,
  { cues }: Speech,
  cueAt: (number: number) => TranscriptCue,
): Piece[] {
  const pieces: Piece[] = []
  let before = 0
  for (const [i, { tokenCount }] of cues.entries()) {
    const from = Math.max(token - before, 0)
    const to = Math.min(token + length - before, tokenCount)
    if (from < to) pieces.push({ cue: cueAt(i), from, to })
    before += tokenCount
  }
  return pieces
}

function placeOf({ cue, from, to }: Piece, language: string): Place {
  const keys = cue.words.map(({ text }) => caseKey(text, language))
  const places = placeTokens(cue.text, keys, language)
  // The source may time a word that the line does not show. Its place is then between its
  // neighbours.
  const before = places.slice(0, from).findLast((place) => place !== null)
  const after = places.slice(to).find((place) => place !== null)
  return {
    start: places[from]?.start ?? before?.end ?? 0,
    end: places[to - 1]?.end ?? after?.start ?? cue.text.length,
  }
}

function readCue(number: number, { speech: { cues }, range, bytes }: Passage): TranscriptCue {
  let from = 0
  for (let i = range.first; i < number; i++) from += cues[i]!.sizeBytes + 1
  return JSON.parse(bytes.toString('utf8', from, from + cues[number]!.sizeBytes)) as TranscriptCue
}
