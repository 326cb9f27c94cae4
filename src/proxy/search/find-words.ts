import type { Frequent } from '#release/search/frequent-texts.ts'
import { countIndex } from '#release/search/layout.ts'
import type { SearchTable } from '#release/search/reader.ts'
import type { WordRange } from '#release/words/layout.ts'

type TextPlaces = ReturnType<SearchTable['places']>

/** The words of a language. Rows are in the order of `clipCount` descending, then `wordId`. */
export interface SearchIndex {
  search: SearchTable
  /** The levels' ranks by row. */
  levels: Uint8Array
  range: WordRange
}

/** Which words a search may find. */
export interface WordFilter {
  /** Bit 0 is A1. */
  levelMask: number
  /** Whether words without clips are left out. */
  hasClips: boolean
}

/** Which words a search may find, and which of those a page shows. */
export interface SearchOptions extends WordFilter {
  /** How many matches come before the page. */
  offset: number
  limit: number
}

export interface Found {
  rows: number[]
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
export function findWords(index: SearchIndex, folded: string, options: SearchOptions): Found {
  if (folded === '') return findAll(index, options)
  const places = index.search.places(index.range, folded)
  if (places.from === places.to) return { rows: [], totalCount: 0 }
  const frequent = index.search.frequent(index.range, places)
  return frequent ? findFrequent(index, places, frequent, options) : findFew(index, places, options)
}

function findAll(index: SearchIndex, options: SearchOptions): Found {
  const { range } = index
  const end = endOf(index, options)
  if (options.levelMask === allLevels) {
    const first = Math.min(range.first + options.offset, end)
    const rows = Array.from({ length: Math.min(options.limit, end - first) }, (_, i) => first + i)
    return { rows, totalCount: end - range.first }
  }
  const page = new Page(index, options)
  for (let row = range.first; row < end; row++) page.offer(row)
  return page
}

const allLevels = 0b111111

/** Behind the last row that the filter lets through: those with clips come first. */
function endOf({ range }: SearchIndex, { hasClips }: WordFilter): number {
  return hasClips ? range.clipsEnd : range.end
}

/**
 * Takes the rows of one page out of all that are offered in order, and counts those that
 * the filter lets through.
 */
class Page implements Found {
  readonly rows: number[] = []
  totalCount = 0
  readonly #options: SearchOptions
  readonly #levels: Uint8Array
  readonly #end: number

  constructor(index: SearchIndex, options: SearchOptions) {
    this.#options = options
    this.#levels = index.levels
    this.#end = endOf(index, options)
  }

  get isFull(): boolean {
    return this.rows.length === this.#options.limit
  }

  offer(row: number): void {
    const { levelMask, offset } = this.#options
    if (row >= this.#end) return
    if (levelMask !== allLevels && ((levelMask >> this.#levels[row]!) & 1) === 0) return
    if (this.totalCount++ >= offset && !this.isFull) this.rows.push(row)
  }
}

/** The words that the text is, in the order of rows: their places come first. */
function exactRows({ search, range }: SearchIndex, { from, to, length }: TextPlaces): number[] {
  const rows: number[] = []
  for (let i = from; i < to; i++) {
    const position = search.suffixes[i]!
    if (!search.isStart(position) || !search.isEnd(position + length)) break
    rows.push(search.rowAt(range, position))
  }
  return rows
}

/** Every place is looked at: a word is taken once, as beginning with the text where it does. */
function findFew(index: SearchIndex, places: TextPlaces, options: SearchOptions): Found {
  const { search, range } = index
  const exact = exactRows(index, places)
  const beginning: number[] = []
  const containing: number[] = []
  for (let i = places.from + exact.length; i < places.to; i++) {
    const position = search.suffixes[i]!
    const rows = search.isStart(position) ? beginning : containing
    rows.push(search.rowAt(range, position))
  }
  const ascending = (a: number, b: number) => a - b
  const page = new Page(index, options)
  const found = new Set([...exact, ...beginning.sort(ascending), ...containing.sort(ascending)])
  for (const row of found) page.offer(row)
  return page
}

/** The lists of the table are read up to the end of the page; the total comes from its counts. */
function findFrequent(
  index: SearchIndex,
  places: TextPlaces,
  frequent: Frequent,
  options: SearchOptions,
): Found {
  const exact = exactRows(index, places)
  const page = new Page(index, options)
  for (const row of exact) page.offer(row)
  const first = new Set(exact)
  const end = endOf(index, options)
  for (const list of [frequent.beginning, frequent.containing]) {
    for (let row = list.next(); row >= 0 && row < end && !page.isFull; row = list.next())
      if (!first.has(row)) page.offer(row)
  }
  return { rows: page.rows, totalCount: countOf(frequent, options) }
}

function countOf({ counts }: Frequent, { levelMask, hasClips }: WordFilter): number {
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
