/** The layout of `clips.bin` (FORMAT.md), written once for the writer and the reader. */

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
  /** Of `indexedAt`, by number. */
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
/** The texts that may stay on the disk: of a clip, those that are read once it may be shown. */
export const diskColumns = ['json', 'terms'] as const

/** The rows of a language. */
export interface ClipRange {
  /** The first of them. */
  base: number
  /** How many ordinals were ever given in the language. */
  domain: number
}

/** Marks a band without a focus word. */
export const none = 0xffffffff

/** The JSON of every clip begins with its ids: the clip id here, with `idLength` characters. */
export const idAt = '{"clipId":"'.length
export const idLength = 36
/** The video id follows, and ends with a quote. */
export const videoAt = idAt + idLength + '","videoId":"'.length

/**
 * Stands for the video id in an ending: the two addresses of a clip, with which its JSON ends. But
 * for that id, they are those of nearly all clips, so each ending is stored once.
 */
export const videoMark = '{videoId}'

/** A focus word: its number, and when it is first said. Null if there is none. */
export type Focus = { number: number; tStartMs: number } | null
