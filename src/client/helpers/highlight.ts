import type { Cue, TranscriptWord } from '../operations.ts'

/** A text that is split around a range of it. The three parts, joined, are the text. */
export interface Highlight {
  before: string
  match: string
  after: string
}

/** Splits a text around a range that the API returns, in code points. */
export function highlight(text: string, start: number, end: number): Highlight {
  const points = [...text]
  const slice = (from: number, to?: number) => points.slice(from, to).join('')
  return { before: slice(0, start), match: slice(start, end), after: slice(end) }
}

/** A piece of a line: a word of the transcript, or the text between words. */
export interface Segment {
  text: string
  /** The word; null between words. */
  word: TranscriptWord | null
  /** The index of the word in `cue.words`; -1 between words. */
  index: number
}

/** Splits a line into its words and the text between them. The segments, joined, are the line. */
export function segments(cue: Cue): Segment[] {
  const points = [...cue.text]
  // Transcripts that were published before positions existed have none.
  const hasPlaces = cue.words.some(({ start }) => start !== undefined)
  const parts: Segment[] = []
  let position = 0
  const append = (end: number, word: TranscriptWord | null, index: number) => {
    if (end > position) parts.push({ text: points.slice(position, end).join(''), word, index })
    position = Math.max(position, end)
  }
  cue.words.forEach((word, index) => {
    const place = hasPlaces ? word : search(word.text, points, position)
    // The line does not show every word.
    if (place?.start === undefined || place.end === undefined || place.start < position) return
    append(place.start, null, -1)
    append(place.end, word, index)
  })
  append(points.length, null, -1)
  return parts
}

/** Returns the first range of a word after a position. */
function search(word: string, points: readonly string[], from: number) {
  const rest = points.slice(from).join('')
  const at = rest.indexOf(word)
  if (at < 0) return undefined
  const textBefore = rest.slice(0, at)
  const start = from + [...textBefore].length
  return { start, end: start + [...word].length }
}
