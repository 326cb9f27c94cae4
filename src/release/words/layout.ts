import type { Meanings } from '#contract/glosses.ts'
import type { Word } from '#contract/word.ts'

/** The layout of `words.bin` (FORMAT.md), written once for the writer and the reader. */

export const tableName = 'words'
export const columns = {
  /** A `WordRange` for each. */
  languages: 'json',
  wordIds: 'u32',
  levels: 'u8',
  glosses: 'json',
  /** Of each: its JSON up to its meaning, then the meanings by gloss. */
  shownParts: 'texts',
  forms: 'texts',
  clipsByLevel: 'u32',
  pageAt: 'u32',
  pageEnds: 'u32',
  pageDigests: 'u8',
} as const

/** A word of the catalogue. */
export interface WordEntry extends Omit<Word, 'meaning' | 'clipCount'> {
  meanings: Meanings
  forms: string[]
}

/** The published list of a word's clips, easiest first. */
export interface ClipList {
  /** Clips by their level, A1 to C2: the list is sorted by level first. */
  clipsByLevel: readonly number[]
  pages: readonly ListPage[]
}

export interface ListPage {
  /** How many items it holds. */
  count: number
  /** Of its bytes: 96 bits, base64url. */
  digest: string
}

/** A word of the catalogue with the list of its clips. */
export interface WordRow extends WordEntry {
  language: string
  /** null if no clip says it. */
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
