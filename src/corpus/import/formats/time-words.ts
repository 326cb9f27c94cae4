import type { SourceWord } from '../../source-clip.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { roundTime } from '#kit/round.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { wordSegmenter } from '#language/segment.ts'
import type { CueTally } from '../cue-tally.ts'
import { countLetters, type Anchor } from './cue.ts'
import type { TimedCue } from './repair-times.ts'

/** The longest duration of a word whose source has none. */
const shortWordS = 0.25

/**
 * Returns the words of a cue with times inside it; undefined if none of the times is valid.
 *
 * A time is valid if it is inside the cue and not before the previous one, as WebVTT requires
 * (https://www.w3.org/TR/webvtt1/#webvtt-timestamp). If one time covers several words, they share
 * the time in proportion to their letters.
 */
export function timeWords(cue: TimedCue, language: string, tally: CueTally): SourceWord[] | undefined {
  const anchors = validAnchors(cue)
  if (anchors.length === 1) return undefined
  anchors.push({ letters: countLetters(cue.text), time: cue.tEnd })
  const letters = anchors.map((anchor) => anchor.letters)
  const words: SourceWord[] = []
  let before = 0
  let position = 0
  for (const { at, piece } of splitWords(cue.text, language)) {
    before += countLetters(cue.text.slice(position, at))
    position = at + piece.length
    const after = before + countLetters(piece)
    // A word starts at the last of the times at its position, because a pause before the word has
    // one time for its start and another for its end.
    const tStart = timeAfter(anchors, lowerBound(letters, before + 1) - 1, before)
    const tEnd = timeAfter(anchors, Math.max(lowerBound(letters, after) - 1, 0), after)
    words.push({ text: piece, tStart, tEnd })
    before = after
  }
  lengthen(words, cue.tEnd, tally)
  return words.length > 0 ? words : undefined
}

/** The start of a cue and the valid times inside it. */
function validAnchors({ tStart, tEnd, anchors }: TimedCue): Anchor[] {
  const valid: Anchor[] = [{ letters: 0, time: tStart }]
  for (const anchor of anchors) {
    if (anchor.time >= valid.at(-1)!.time && anchor.time <= tEnd) valid.push(anchor)
  }
  return valid
}

/** Splits at whitespace or, in ja and zh, which have none, with Intl.Segmenter. */
function splitWords(text: string, language: string): { at: number; piece: string }[] {
  if (!isUnspaced(language))
    return [...text.matchAll(/\S+/g)].map((match) => ({ at: match.index, piece: match[0] }))
  const segments = [...wordSegmenter(language).segment(text)].filter(({ isWordLike }) => isWordLike)
  return segments.map(({ index, segment }) => ({ at: index, piece: segment }))
}

/** Makes a word without a duration last until the next one starts, but not long. */
function lengthen(words: SourceWord[], tEnd: number, tally: CueTally): void {
  for (const [i, word] of words.entries()) {
    const until = words[i + 1]?.tStart ?? tEnd
    if (word.tEnd > word.tStart || until <= word.tStart) continue
    word.tEnd = roundTime(Math.min(until, word.tStart + shortWordS))
    tally.repair('word of zero length: end set to the next word')
  }
}

/** Returns the time of a position after an anchor, by its letters. */
function timeAfter(anchors: readonly Anchor[], i: number, letters: number): number {
  const from = anchors[i]!
  const to = anchors[i + 1] ?? from
  if (to.letters === from.letters) return from.time
  const scaledTime = (to.time - from.time) * (letters - from.letters)
  return roundTime(from.time + scaledTime / (to.letters - from.letters))
}
