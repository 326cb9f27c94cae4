import type { Frequent } from '#release/search/frequent-texts.ts'
import { countIndex } from '#release/search/layout.ts'
import type { SearchTable } from '#release/search/reader.ts'
import type { WordRange } from '#release/words/layout.ts'

type Stands = ReturnType<SearchTable['places']>

/** What words are searched in: rows are in the order of `clipCount` descending, then `wordId`. */
export interface Searched {
  search: SearchTable
  /** The levels' ranks by row. */
  levels: Uint8Array
  range: WordRange
}

/** Which words are wanted, and which of those that match. */
export interface Wanted {
  /** Bit 0 is A1. */
  levelMask: number
  hasClips: boolean
  /** Of the first match to be given, and how many at most. */
  position: number
  limit: number
}

export interface Found {
  rows: number[]
  /** How many match in all. */
  totalCount: number
}

/**
 * The words that hold the folded text, best first: the word itself, words that begin with it, words
 * that contain it, each in the order of rows. An empty text is in every word (contract 1.5).
 *
 * The suffix array tells where the text stands. Up to 256 places are gathered and sorted for the
 * request; the words of what stands in more are listed in the table, with counts, so that no text
 * costs more than its page.
 */
export function findWords(searched: Searched, folded: string, wanted: Wanted): Found {
  if (folded === '') return findAll(searched, wanted)
  const places = searched.search.places(searched.range, folded)
  if (places.from === places.to) return { rows: [], totalCount: 0 }
  const frequent = searched.search.frequent(searched.range, places)
  return frequent ? findFrequent(searched, places, frequent, wanted) : findFew(searched, places, wanted)
}

function findAll(searched: Searched, wanted: Wanted): Found {
  const { range } = searched
  const end = endOf(searched, wanted)
  if (wanted.levelMask === allLevels) {
    const first = Math.min(range.first + wanted.position, end)
    const rows = Array.from({ length: Math.min(wanted.limit, end - first) }, (_, i) => first + i)
    return { rows, totalCount: end - range.first }
  }
  const page = new Page(searched, wanted)
  for (let row = range.first; row < end; row++) page.offer(row)
  return page
}

const allLevels = 0b111111

/** Behind the last row that can be wanted: those with clips come first. */
function endOf({ range }: Searched, { hasClips }: Wanted): number {
  return hasClips ? range.clipsEnd : range.end
}

/**
 * Takes the rows of one page out of all that are offered in order, and counts those that are
 * wanted.
 */
class Page implements Found {
  readonly rows: number[] = []
  totalCount = 0
  readonly #wanted: Wanted
  readonly #levels: Uint8Array
  readonly #end: number

  constructor(searched: Searched, wanted: Wanted) {
    this.#wanted = wanted
    this.#levels = searched.levels
    this.#end = endOf(searched, wanted)
  }

  get isFull(): boolean {
    return this.rows.length === this.#wanted.limit
  }

  offer(row: number): void {
    const { levelMask, position } = this.#wanted
    if (row >= this.#end) return
    if (levelMask !== allLevels && ((levelMask >> this.#levels[row]!) & 1) === 0) return
    if (this.totalCount++ >= position && !this.isFull) this.rows.push(row)
  }
}

/** The words that the text is, in the order of rows: their places come first. */
function exactRows({ search, range }: Searched, { from, to, length }: Stands): number[] {
  const rows: number[] = []
  for (let i = from; i < to; i++) {
    const position = search.suffixes[i]!
    if (!search.isStart(position) || !search.isEnd(position + length)) break
    rows.push(search.rowAt(range, position))
  }
  return rows
}

/** Every place is looked at: a word is taken once, as beginning with the text where it does. */
function findFew(searched: Searched, places: Stands, wanted: Wanted): Found {
  const { search, range } = searched
  const exact = exactRows(searched, places)
  const beginning: number[] = []
  const containing: number[] = []
  for (let i = places.from + exact.length; i < places.to; i++) {
    const position = search.suffixes[i]!
    const rows = search.isStart(position) ? beginning : containing
    rows.push(search.rowAt(range, position))
  }
  const ascending = (a: number, b: number) => a - b
  const page = new Page(searched, wanted)
  const found = new Set([...exact, ...beginning.sort(ascending), ...containing.sort(ascending)])
  for (const row of found) page.offer(row)
  return page
}

/** The lists of the table are read up to the end of the page; the total comes from its counts. */
function findFrequent(searched: Searched, places: Stands, frequent: Frequent, wanted: Wanted): Found {
  const exact = exactRows(searched, places)
  const page = new Page(searched, wanted)
  for (const row of exact) page.offer(row)
  const first = new Set(exact)
  const end = endOf(searched, wanted)
  for (const list of [frequent.beginning, frequent.containing]) {
    for (let row = list.next(); row >= 0 && row < end && !page.isFull; row = list.next())
      if (!first.has(row)) page.offer(row)
  }
  return { rows: page.rows, totalCount: countOf(frequent, wanted) }
}

function countOf({ counts }: Frequent, { levelMask, hasClips }: Wanted): number {
  let count = 0
  for (let level = 0; level < 6; level++) {
    if (((levelMask >> level) & 1) === 0) continue
    for (const isContaining of [false, true]) {
      count += counts[countIndex(isContaining, true, level)]!
      if (!hasClips) count += counts[countIndex(isContaining, false, level)]!
    }
  }
  return count
}
