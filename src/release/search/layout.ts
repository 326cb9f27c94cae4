import { levels } from '#contract/levels.ts'

/** The layout of `search.bin` (FORMAT.md), written once for the writer and the reader. */

export const tableName = 'search'
/**
 * How many numbers `languages` has for each: first row, its suffixes (from, to), first frequent
 * text, the length of its longest text in bytes.
 */
export const languageNumbers = 5
/**
 * How many numbers `frequent` has for each: its suffixes (from, to), and where its rows are: those
 * that begin with it, those that contain it, the end.
 */
export const frequentNumbers = 5
/** How many numbers `frequentCounts` has for each. */
export const countNumbers = 4 * levels.length

/** The index of a count among those of a frequent text. */
export function countIndex(isContaining: boolean, hasClips: boolean, level: number): number {
  return ((isContaining ? 2 : 0) + (hasClips ? 0 : 1)) * levels.length + level
}

/**
 * A text that stands in more places than this has its words listed in the table: 44 MB of a million
 * words. With a bound of 2,048 it was 31 MB, and a text of three to six letters took four times as
 * long on average.
 */
export const frequentOver = 256

/** The suffixes `from … to` of the headwords: those that begin with a text. */
export interface Places {
  from: number
  to: number
}
