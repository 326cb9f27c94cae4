/** The layout of `clips.bin` (FORMAT.md), shared by the writer and the reader. */

export const tableName = 'clips'
export const columns = {
  /** A `ClipRange` for each. */
  languages: 'json',
  json: 'texts',
  endingNumbers: 'u32',
  endings: 'json',
  levels: 'u8',
  durations: 'u8',
  channelNumbers: 'u32',
  revisions: 'u32',
  wordCounts: 'u32',
  /** The values of `indexedAt`, by number. */
  dateNumbers: 'u32',
  dates: 'json',
  digests: 'u8',
  focusWords: 'u32',
  focusStarts: 'u32',
  terms: 'texts',
  channels: 'json',
  byId: 'u32',
  byVideo: 'u32',
} as const
/** The texts that may stay on disk: those of a clip that are read once it may be shown. */
export const diskColumns = ['json', 'terms'] as const

/** The rows of a language. */
export interface ClipRange {
  /** The first row. */
  base: number
  /** The number of ordinals that were ever assigned in the language. */
  domain: number
}

/** Marks a band without a focus word. */
export const none = 0xffffffff

/** The JSON of every clip starts with its ids: the clip id here, with `idLength` characters. */
export const idAt = '{"clipId":"'.length
export const idLength = 36
/** The video id follows, and ends with a quote. */
export const videoAt = idAt + idLength + '","videoId":"'.length

/**
 * Stands for the video id in an ending: the two addresses of a clip at the end of its JSON. Except
 * for that id, nearly all clips have the same ones, so each ending is stored once.
 */
export const videoMark = '{videoId}'

/** A focus word: its number, and the time of its first occurrence. Null if there is none. */
export type Focus = { number: number; tStartMs: number } | null
