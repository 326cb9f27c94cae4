import { byCodePoint, codePointLength } from '#kit/code-points.ts'

/** The layout of `spellings.bin` (FORMAT.md), written once for the writer and the reader. */

export const tableName = 'spellings'
/** How many numbers `languages` has for each: code, first entry. */
export const languageNumbers = 2
/** The most bytes that are counted in `shared`. */
export const maxShared = 255

/**
 * Whether the first of two spellings that match alike is the one shown: the shorter, then by code
 * point.
 */
export function isShownFirst(a: string, b: string): boolean {
  return (codePointLength(a) - codePointLength(b) || byCodePoint(a, b)) < 0
}
