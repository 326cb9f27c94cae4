import { searchFold } from '#language/search-fold.ts'
import { spellingFold } from '#language/spelling-fold.ts'
import type { Release } from '#release/release.ts'
import { isShownFirst } from '#release/spellings/layout.ts'
import type { WordFilter } from './find-words.ts'

/**
 * The rows of the words that `q` finds by their other spellings: those of which one is `q`, then
 * those of which one begins with it, each in the order of rows (contract 1.6). Words whose headword
 * holds `q` are left out: they come before.
 */
export function findSpelled(
  release: Release,
  q: string,
  language: string,
  { levelMask, hasClips }: WordFilter,
): number[] {
  const { words, search, spellings } = release
  const folded = spellingFold(q, language)
  if (folded === '') return []
  const sought = searchFold(q, language)
  const soughtBytes = Buffer.from(sought)
  const { clipsEnd, end } = words.rangeOf(language)
  const rowsEnd = hasClips ? clipsEnd : end
  const isWanted = (row: number) =>
    row < rowsEnd && ((levelMask >> words.levels[row]!) & 1) === 1 && !search.holds(row, soughtBytes)
  const exact = new Set<number>()
  const beginning = new Set<number>()
  const range = spellings.find(folded, language)
  for (let entry = range.from; entry < range.to; entry++) {
    // Most candidates are forms of words that begin with `q` themselves.
    if (sought === folded && spellings.isShared(entry, soughtBytes.length)) continue
    const row = spellings.row(entry)
    if (isWanted(row)) (entry < range.exactEnd ? exact : beginning).add(row)
  }
  if (sought !== folded) {
    for (const { row, isExact } of headwordsFrom(folded, language, release)) {
      if (isWanted(row)) (isExact ? exact : beginning).add(row)
    }
  }
  return [exact, beginning.difference(exact)].flatMap((rows) => [...rows].sort((a, b) => a - b))
}

/**
 * The words whose headword begins with `q` once `q` is folded further than headwords are: in
 * Turkish ıyı finds iyi. Headwords that are folded further themselves are among the spellings.
 */
function* headwordsFrom(folded: string, language: string, { search, words }: Release) {
  const range = words.rangeOf(language)
  const { from, to, length } = search.places(range, folded)
  for (let place = from; place < to; place++) {
    const position = search.suffixes[place]!
    if (!search.isStart(position)) continue
    yield { row: search.rowAt(range, position), isExact: search.isEnd(position + length) }
  }
}

/**
 * Of each row, the spelling that matched: of several one that is `q`, then the shorter, then by
 * code point.
 */
export function matchedForms(
  { words, spellings }: Release,
  rows: readonly number[],
  q: string,
  language: string,
): string[] {
  const folded = spellingFold(q, language)
  const { from, exactEnd, to } = spellings.find(folded, language)
  const exact = new Map<number, string>()
  const beginning = new Map<number, string>()
  const offer = (row: number, spelling: string, isExact: boolean) => {
    const best = isExact ? exact : beginning
    const known = best.get(row)
    if (known === undefined || isShownFirst(spelling, known)) best.set(row, spelling)
  }
  for (const row of rows) {
    const word = words.word(row)
    const headword = searchFold(word, language)
    if (headword.startsWith(folded)) offer(row, word, headword === folded)
  }
  const asked = new Set(rows)
  for (let entry = from; entry < to; entry++) {
    const row = spellings.row(entry)
    if (asked.has(row)) offer(row, spellings.spelling(entry), entry < exactEnd)
  }
  return rows.map((row) => exact.get(row) ?? beginning.get(row)!)
}
