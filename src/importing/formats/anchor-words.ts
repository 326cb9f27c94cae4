import type { CueTally } from '../cue-tally.ts'
import { plainText } from './clean-text.ts'
import type { Anchor } from './cue.ts'

/** A word as a recogniser timed it, in seconds; null if it could not place the word. */
export interface RecognisedWord {
  text: string
  start: number | null
  end: number | null
}

/** How many letters ahead a word is searched for: far more than a recogniser leaves out at once. */
const maxAhead = 1000

/**
 * Where the times of words belong in a text: each word is searched for behind the one before,
 * ignoring whitespace, which some recognisers strip. A word that is not within the next 1,000
 * letters gives no times.
 */
export function anchorWords(text: string, words: readonly RecognisedWord[], tally: CueTally): Anchor[] {
  const letters = text.replace(/\s/g, '')
  const anchors: Anchor[] = []
  let cursor = 0
  let lastTime = 0
  for (const { text: raw, start, end } of words) {
    const word = plainText(raw).replace(/\s/g, '')
    const ahead = letters.slice(cursor, cursor + maxAhead + word.length)
    const found = word === '' ? -1 : ahead.indexOf(word)
    const at = found < 0 ? -1 : cursor + found
    if (at >= 0) cursor = at + word.length
    if (start === null || end === null) tally.repair('word without times: interpolated')
    if (at < 0 || start === null || end === null) continue
    if (start < lastTime || end < start) tally.repair('word before its neighbour or its start: clamped')
    const from = Math.max(start, lastTime)
    lastTime = Math.max(end, from)
    anchors.push({ letters: at, time: from }, { letters: cursor, time: lastTime })
  }
  return anchors
}
