import { roundTime } from '#kit/round.ts'
import type { SourceWord } from '#corpus/source-clip.ts'
import { plainText } from './clean-text.ts'
import { parseTimestamp } from './parse-timestamp.ts'

/** A time and the number of letters (characters that are not blank) said before it. */
interface Anchor {
  letters: number
  time: number
}

/**
 * The words of a cue that carries inline times (`is<00:00:01.680><c> well</c>`), or undefined where it carries none.
 *
 * A time counts when it is inside the cue and not before the one before it, as WebVTT demands
 * (https://www.w3.org/TR/webvtt1/#webvtt-timestamp). Where one time covers several words, they share the span by their letters.
 */
export function inlineWords(raw: string, tStart: number, tEnd: number): SourceWord[] | undefined {
  const pieces = raw.split(/<(\d+:[\d:.]+)>/)
  if (pieces.length === 1) return undefined
  const anchors: Anchor[] = [{ letters: 0, time: tStart }]
  let text = ''
  let letters = 0
  for (const [i, piece] of pieces.entries()) {
    if (i % 2 === 1) {
      const time = parseTimestamp(piece)
      if (time !== null && time >= anchors.at(-1)!.time && time <= tEnd) anchors.push({ letters, time })
    } else {
      const plain = plainText(piece)
      text += plain
      letters += countLetters(plain)
    }
  }
  if (anchors.length === 1) return undefined
  anchors.push({ letters, time: tEnd })
  return timeWords(text, anchors)
}

function timeWords(text: string, anchors: readonly Anchor[]): SourceWord[] {
  let before = 0
  return (text.match(/\S+/g) ?? []).map((word) => {
    const after = before + countLetters(word)
    const timed = { text: word, tStart: startAt(anchors, before), tEnd: endAt(anchors, after) }
    before = after
    return timed
  })
}

function countLetters(text: string): number {
  return text.replace(/\s/g, '').length
}

/** A word starts at the last time given for its place: a pause has one time where it begins and one where it ends. */
function startAt(anchors: readonly Anchor[], letters: number): number {
  const i = anchors.findLastIndex((anchor) => anchor.letters <= letters)
  return between(anchors[i]!, anchors[i + 1] ?? anchors[i]!, letters)
}

function endAt(anchors: readonly Anchor[], letters: number): number {
  const i = anchors.findIndex((anchor) => anchor.letters >= letters)
  return between(anchors[i - 1] ?? anchors[i]!, anchors[i]!, letters)
}

function between(from: Anchor, to: Anchor, letters: number): number {
  if (to.letters === from.letters) return from.time
  return roundTime(
    from.time + ((to.time - from.time) * (letters - from.letters)) / (to.letters - from.letters),
  )
}
