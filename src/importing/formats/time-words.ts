import type { SourceWord } from '#corpus/source-clip.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { roundTime } from '#kit/round.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { wordSegmenter } from '#language/segment.ts'
import type { CueTally } from '../cue-tally.ts'
import { countLetters, joinPieces, parseTimestamp, type Anchor, type RawCue } from './cue.ts'

interface TimedText {
  tStart: number
  tEnd: number
  text: string
  anchors: readonly Anchor[]
}

/** The longest that a word without a length in the source is made. */
const shortWordS = 0.25

/**
 * Parses the inline times of WebVTT: `is<00:00:01.680><c> well</c>` is the text "is well" with a
 * time before its third letter. Other tags stay.
 */
export function parseInlineTimes(raw: string): Pick<RawCue, 'text' | 'anchors'> {
  const [first, ...rest] = raw.split(/<(\d+:[\d:.]+)>/)
  const pieces = [{ raw: first!, time: null as number | null }]
  for (let i = 0; i < rest.length; i += 2) pieces.push({ raw: rest[i + 1]!, time: parseTimestamp(rest[i]!) })
  const { text, ...times } = joinPieces(pieces)
  return { text: text.replace(/ {2,}/g, ' '), ...times }
}

/**
 * The words of a cue that has times inside it; undefined if none of them counts.
 *
 * A time counts if it is inside the cue and not before the one before it, as WebVTT requires
 * (https://www.w3.org/TR/webvtt1/#webvtt-timestamp). If one time covers several words, they share
 * the span by their letters.
 *
 * @param shown the text with what is not spoken blanked, in the same length: a word that is blank
 *   in it is left out
 */
export function timeWords(
  cue: TimedText,
  shown: string,
  language: string,
  tally: CueTally,
): SourceWord[] | undefined {
  const anchors = validAnchors(cue)
  if (anchors === null) return undefined
  const letters = anchors.map((anchor) => anchor.letters)
  const words: SourceWord[] = []
  let before = 0
  let position = 0
  for (const { at, length } of chunksOf(cue.text, language)) {
    before += countLetters(cue.text.slice(position, at))
    position = at + length
    const after = before + countLetters(cue.text.slice(at, position))
    const text = shown.slice(at, position).replace(/\s+/g, '')
    if (text !== '') {
      // A word starts at the last time of its place: a pause has one time where it begins, and one
      // where it ends.
      const tStart = timeAfter(anchors, lowerBound(letters, before + 1) - 1, before)
      const tEnd = timeAfter(anchors, Math.max(lowerBound(letters, after) - 1, 0), after)
      words.push({ text, tStart, tEnd })
    }
    before = after
  }
  lengthen(words, cue.tEnd, tally)
  return words.length > 0 ? words : undefined
}

function validAnchors({ tStart, tEnd, text, anchors }: TimedText): Anchor[] | null {
  const valid: Anchor[] = [{ letters: 0, time: tStart }]
  for (const anchor of anchors) {
    if (anchor.time >= valid.at(-1)!.time && anchor.time <= tEnd) valid.push(anchor)
  }
  if (valid.length === 1) return null
  valid.push({ letters: countLetters(text), time: tEnd })
  return valid
}

/** Splits into words: at whitespace, or in ja and zh, which have none, with Intl.Segmenter. */
function* chunksOf(text: string, language: string): Generator<{ at: number; length: number }> {
  if (!isUnspaced(language)) {
    for (const match of text.matchAll(/\S+/g)) yield { at: match.index, length: match[0].length }
    return
  }
  for (const { segment, index, isWordLike } of wordSegmenter(language).segment(text)) {
    if (isWordLike) yield { at: index, length: segment.length }
  }
}

/** A word of no length lasts until the next one starts, but not long. */
function lengthen(words: SourceWord[], tEnd: number, tally: CueTally): void {
  for (const [i, word] of words.entries()) {
    if (word.tEnd > word.tStart) continue
    const until = words[i + 1]?.tStart ?? tEnd
    if (until <= word.tStart) continue
    word.tEnd = roundTime(Math.min(until, word.tStart + shortWordS))
    tally.repair('word of zero length: end set to the next word')
  }
}

/** The time of a place behind an anchor, by its letters. */
function timeAfter(anchors: readonly Anchor[], i: number, letters: number): number {
  const from = anchors[i]!
  const to = anchors[i + 1] ?? from
  if (to.letters === from.letters) return from.time
  const passed = (to.time - from.time) * (letters - from.letters)
  return roundTime(from.time + passed / (to.letters - from.letters))
}
