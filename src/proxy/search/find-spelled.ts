import { searchFold } from '#language/search-fold.ts'
import { spellingFold } from '#language/spelling-fold.ts'
import type { Release } from '#release/release.ts'
import { isShownFirst } from '#release/spellings/layout.ts'

/** Which words are wanted. */
export interface Wanted {
  q: string
  language: string
  /** Bit 0 is A1. */
  levelMask: number
  hasClips: boolean
}

/**
 * The rows of the words that `q` finds by their other spellings: those of which one is `q`, then
 * those of which one begins with it, each in the order of rows (contract 1.6). Words whose headword
 * holds `q` are left out: they come before.
 */
export function findSpelled({ words, spellings }: Release, wanted: Wanted): number[] {
  const { language, levelMask, hasClips } = wanted
  const folded = spellingFold(wanted.q, language)
  if (folded === '') return []
  const { clipsEnd, end } = words.rangeOf(language)
  const rowsEnd = hasClips ? clipsEnd : end
  const isWanted = (row: number) => row < rowsEnd && ((levelMask >> words.levels[row]!) & 1) === 1
  const range = spellings.find(folded, language)
  const exact = new Set<number>()
  const beginning = new Set<number>()
  for (let entry = range.from; entry < range.to; entry++) {
    const row = spellings.row(entry)
    if (isWanted(row)) (entry < range.exactEnd ? exact : beginning).add(row)
  }
  for (const row of exact) beginning.delete(row)
  const sought = searchFold(wanted.q, language)
  const isOther = (row: number) => !searchFold(words.row(row).word, language).includes(sought)
  return [exact, beginning].flatMap((rows) => [...rows].filter(isOther).sort((a, b) => a - b))
}

/**
 * Of each row, the spelling that matched: of several one that is `q`, then the shorter, then by
 * code point.
 */
export function matchedForms(
  { spellings }: Release,
  rows: readonly number[],
  q: string,
  language: string,
): string[] {
  const { from, exactEnd, to } = spellings.find(spellingFold(q, language), language)
  const exact = new Map<number, string>()
  const beginning = new Map<number, string>()
  const asked = new Set(rows)
  for (let entry = from; entry < to; entry++) {
    const row = spellings.row(entry)
    if (!asked.has(row) || exact.has(row)) continue
    const spelling = spellings.spelling(entry)
    const known = beginning.get(row)
    if (entry < exactEnd) exact.set(row, spelling)
    else if (known === undefined || isShownFirst(spelling, known)) beginning.set(row, spelling)
  }
  return rows.map((row) => exact.get(row) ?? beginning.get(row)!)
}
