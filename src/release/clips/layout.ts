/** The layout of `clips.bin` (FORMAT.md), written once for the writer and the reader. */

export const tableName = 'clips'
/**
 * How many numbers `languages` has for each: code, first row, how many ordinals were ever given.
 */
export const languageNumbers = 3
/** Marks a row without a clip, and a band without a focus word. */
export const none = 0xffffffff
/** The bytes of the digest of a file. */
export const digestBytes = 12

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

/**
 * A focus word: its row in the table of words, and when it is first said. Null if there is none.
 */
export type Focus = { row: number; tStartMs: number } | null
