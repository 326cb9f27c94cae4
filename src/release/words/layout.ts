import type { Meanings } from '#contract/glosses.ts'
import type { Word } from '#contract/word.ts'
import { wordClipsPath } from '../paths.ts'

/** The layout of `words.bin` (FORMAT.md), shared by the writer and the reader. */

export const tableName = 'words'
export const columns = {
  /** A `WordRange` for each. */
  languages: 'json',
  wordIds: 'u32',
  rowsByNumber: 'u32',
  levels: 'u8',
  glosses: 'json',
  /** The JSON of each word up to its meaning, then the meanings by gloss. */
  shownParts: 'texts',
  forms: 'texts',
  clipsByLevel: 'u32',
  pageAt: 'u32',
  pageEnds: 'u32',
  pageDigests: 'u8',
} as const
/** The texts that may stay on disk: those for the content of a response. */
export const diskColumns = ['shownParts', 'forms'] as const

/** A word of the catalogue. */
export interface WordEntry extends Omit<Word, 'meaning' | 'clipCount'> {
  meanings: Meanings
  forms: string[]
}

/** The published list of a word's clips, easiest first. */
export interface ClipList {
  /** The numbers of clips by level, A1 to C2, because the list is sorted by level first. */
  clipsByLevel: readonly number[]
  pages: readonly ListPage[]
}

export interface ListPage {
  /** The number of its items. */
  count: number
  /** The digest of its bytes: 96 bits, base64url. */
  digest: string
}

/** The number of bytes of a page's digest in its file name. */
export const pageNameBytes = 8

export function pagePath(language: string, wordId: number, { digest }: ListPage): string {
  return wordClipsPath(language, wordId, Buffer.from(digest, 'base64url').toString('hex', 0, pageNameBytes))
}

/** A word of the catalogue with the list of its clips. */
export interface WordRow extends WordEntry {
  language: string
  /** Null if the word is in no clip. */
  list: ClipList | null
}

export function entryOf({ wordId, word, level, meanings, forms }: WordEntry): WordEntry {
  return { wordId, word, level, meanings, forms }
}

/** The rows of the words in a language: those with clips come first. */
export interface WordRange {
  first: number
  /** The row after the last word with clips. */
  clipsEnd: number
  end: number
}

/**
 * Returns the rows of words by number. The words of a language have the numbers of its rows, in the
 * order of their ids. So a clip that refers to words by number does not change when their
 * frequencies change.
 */
export function rowsByNumber(words: readonly { language: string; wordId: number }[]): Uint32Array {
  const byNumber = (a: number, b: number) =>
    words[a]!.language === words[b]!.language ? words[a]!.wordId - words[b]!.wordId : a - b
  return Uint32Array.from(words.keys()).sort(byNumber)
}

interface RowKey {
  language: string
  clipCount: number
  wordId: number
}

/** Compares rows: by language, then `clipCount` descending, then `wordId`. */
export function byRow(a: RowKey, b: RowKey): number {
  return (
    (a.language < b.language ? -1 : Number(a.language > b.language)) ||
    b.clipCount - a.clipCount ||
    a.wordId - b.wordId
  )
}
