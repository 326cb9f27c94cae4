import type { FeedClip } from '#contract/clip.ts'
import { bands } from '#contract/levels.ts'

/** The layout of `clips.bin` (FORMAT.md), written once for the writer and the reader. */

export const tableName = 'clips'
/**
 * How many numbers `languages` has for each: code, first row, how many ordinals were ever given.
 */
export const languageNumbers = 3
/** Marks a row without a clip, and a band without a focus word. */
export const none = 0xffffffff

// The parts of a record, by the 32-bit word they begin at.

/** Length of the text in bytes. */
export const lengthAt = 0
/** Length of the video id (8 bits, the lowest), rank of the level (8 bits), revision (16 bits). */
export const shapeAt = 1
/** The number of the tail. */
export const tailAt = 2
/** Duration in seconds (8 bits, the lowest), number of the language (24 bits). */
export const durationAt = 3
/** For each band, where the entry of the focus word begins and when it is first said. */
export const focusAt = 4
/** The digests of the record and of the transcript. */
export const digestsAt = focusAt + 2 * bands.length
export const digestBytes = 12
/**
 * The whole numbers that a record stores of a clip, a 32-bit word each. For one more, add its name
 * here: `ClipTableWriter.add` then requires its value, and `ClipTable.number` returns it.
 */
export const numberNames = ['wordCount'] as const
export type NumberName = (typeof numberNames)[number]
export type ClipNumbers = Record<NumberName, number>
const numbersAt = digestsAt + (2 * digestBytes) / 4
export const numberAt = Object.fromEntries(
  numberNames.map((name, i) => [name, numbersAt + i]),
) as Readonly<ClipNumbers>
/** Milliseconds since the epoch: the lower 32 bits, then the upper. */
export const indexedAt = numbersAt + numberNames.length
/** The text. */
export const textAt = indexedAt + 2

/** How many bytes a record takes whose text has this many. */
export function recordBytes(textBytes: number): number {
  return textAt * 4 + Math.ceil(textBytes / 4) * 4
}

/** How the JSON of every clip begins. It is not part of the text. */
export const clipOpening = '{"clipId":"'
export const idLength = 36
/** Where the video id begins in the text: at the same place in all. */
export const videoAt = idLength + '","videoId":"'.length

/** The parts that the JSON of a clip is stored in, as lists show it. */
export interface ClipParts {
  /** The ids and the title, without `clipOpening`. */
  text: string
  /** From the channel to the end: the same for most clips of a channel. */
  tail: string
}

/**
 * Between the two stand the language, the level and the duration, which the record has as numbers.
 */
export function clipParts(clip: FeedClip): ClipParts {
  const { clipId, videoId, title, language: _language, level: _level, durationS: _durationS, ...rest } = clip
  return {
    text: JSON.stringify({ clipId, videoId, title }).slice(clipOpening.length, -1),
    tail: JSON.stringify(rest).slice(1),
  }
}

/** The JSON between text and tail, up to the duration and from it on. */
export const beforeDuration = (language: string, level: string): string =>
  `,"language":"${language}","level":"${level}","durationS":`
export const afterDuration = ','
