import { byCodePoint, codePointLength } from '#kit/code-points.ts'

/**
 * The sections of `spellings.bin`: other spellings of words, by what they are compared by.
 *
 *     languages   u32   per language: code, first entry
 *     keyAt       u32   per entry, and one more: where its key begins in `keys`
 *     keys        u8    the folded spellings in UTF-8, in ascending order within a language
 *     shownAt     u32   per entry, and one more: where the spelling begins in `shown`
 *     shown       u8    the spellings as they are written, in UTF-8; nothing where that is the key
 *     rows        u32   per entry: the row of the word; entries of one key in order of rows
 */
export const tableName = 'spellings'
export const numbersALanguage = 2

/**
 * Whether of two spellings of a word that match alike the first is shown: the shorter, then by code
 * point.
 */
export function isShownFirst(a: string, b: string): boolean {
  return (codePointLength(a) - codePointLength(b) || byCodePoint(a, b)) < 0
}
