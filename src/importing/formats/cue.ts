import type { DropReason } from '../account.ts'
import type { Metadata } from '../video/metadata.ts'

/** A time that the source gives inside a cue. */
export interface Anchor {
  /** How many letters (characters that are not blank) of the cue's text stand before it. */
  letters: number
  /** Seconds. */
  time: number
}

/**
 * A cue as a parser found it: nothing mended, nothing left out. Times are seconds with at most 3
 * decimals.
 */
export interface RawCue {
  /** Null where the format gives none, or where `fault` says why. */
  tStart: number | null
  tEnd: number | null
  /** Plain text (see `plainText`), a line a line. */
  text: string
  /** In the order of the text; absent where the source times the whole cue only. */
  anchors?: Anchor[]
  /** Why this cue cannot be used. */
  fault?: DropReason
}

/** What a parser made of a subtitle file. */
export interface ParsedFile {
  cues: RawCue[]
  /** What the file says of its video. */
  metadata?: Metadata
  /** What the file says it is, where that is no speech: `chapters`. */
  track?: string
}

/** How many characters of a text are not blank. */
export function countLetters(text: string): number {
  return text.replace(/\s/g, '').length
}
