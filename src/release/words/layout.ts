import type { ClipList } from '../lists/clip-list.ts'
import type { WordEntry } from './entries.ts'

/** The layout of `words.bin` (FORMAT.md), written once for the writer and the reader. */

export const tableName = 'words'
/**
 * How many numbers `languages` has for each: code, first row, end of the words with clips, first
 * list.
 */
export const languageNumbers = 4
/** How many bytes the digest of a list has. */
export const listDigestBytes = 8
/**
 * How many numbers `sinceAt` has for each: its first in `laterPlaces`, `gonePlaces`,
 * `laterCheckpoints`.
 */
export const sinceNumbers = 3

/** A catalogue word with the list of its clips. */
export interface WordRow extends WordEntry {
  language: string
  list: ClipList | null
}

/** The rows of the words of a language: those with clips come first. */
export interface WordRange {
  first: number
  /** Behind the last word that has clips. */
  clipsEnd: number
  end: number
}

/** What rows are sorted by. */
interface RowKey {
  language: string
  clipCount: number
  wordId: number
}

/** The order of the rows: by language, then `clipCount` descending, then `wordId`. */
export function byRow(a: RowKey, b: RowKey): number {
  return (
    (a.language < b.language ? -1 : Number(a.language > b.language)) ||
    b.clipCount - a.clipCount ||
    a.wordId - b.wordId
  )
}
