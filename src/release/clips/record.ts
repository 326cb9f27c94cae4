import { bands, type Level } from '#contract/levels.ts'

/**
 * A record of the table of clips: what it is made of, and how it is laid out (FORMAT.md,
 * "clips.bin").
 */

/** A clip as it goes into the table and comes out of it. */
export interface ClipEntry {
  clipId: string
  videoId: string
  language: string
  level: Level
  durationS: number
  channelId: string
  /** What only the whole record shows. */
  wordCount: number
  indexedAtMs: number
  /** The JSON text of the clip as lists show it. */
  json: string
  ordinal: number
  /** Which of its records is published, from 1. */
  revision: number
  /** Of the record and of the transcript: 96 bits, base64url. */
  recordDigest: string
  transcriptDigest: string
}

/** No record, no word. */
export const none = 0xffffffff
export const digestBytes = 12
/**
 * Where in a record its parts stand, in 32-bit words: length of the text in bytes; the shape
 * (length of the video id, plus 256 times the rank of the level, plus 65,536 times the revision);
 * the number of the tail; the number of the middle; word and time for every band; the digests; how
 * many words are indexed; when it was indexed, in milliseconds since the epoch, the lower 32 bits
 * first; the text.
 */
export const lengthAt = 0
export const shapeAt = 1
export const tailAt = 2
export const middleAt = 3
export const focusAt = 4
export const digestsAt = focusAt + 2 * bands.length
export const wordCountAt = digestsAt + (2 * digestBytes) / 4
export const indexedAt = wordCountAt + 1
export const fixedWords = indexedAt + 2
/** How many bytes a record takes whose text has so many. */
export function recordBytes(textBytes: number): number {
  return fixedWords * 4 + Math.ceil(textBytes / 4) * 4
}
/**
 * How the JSON of every clip begins. The text is what follows, so the ids always stand at the same
 * places in it.
 */
export const clipOpening = '{"clipId":"'
export const idLength = 36
export const videoAt = idLength + '","videoId":"'.length
