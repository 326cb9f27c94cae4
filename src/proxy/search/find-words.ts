import { radixSort } from '#kit/radix-sort.ts'
import { countIndex, type Frequent } from '#release/frequent-texts.ts'
import type { Places, SearchTable } from '#release/search-table.ts'
import type { WordRange } from '#release/word-table.ts'

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
 * The words that hold the folded text, best first: the word itself, words that begin with it, words that contain it, each in the order of
 * rows. An empty text is in every word (contract 1.5).
 *
 * The suffix array tells where the text stands. Up to 2,048 places are gathered and sorted for the request; the words of what stands in more are
 * listed in the table, with counts, so that no text costs more than its page.
 */
export function findWords(searched: Searched, folded: string, wanted: Wanted): Found {
  if (folded === '') return findAll(searched, wanted)
  const places = searched.search.places(searched.range, Buffer.from(folded))
  if (places.from === places.to) return { rows: [], totalCount: 0 }
  const frequent = searched.search.frequent(searched.range, places)
  return frequent
    ? findFrequent(searched, places, folded, frequent, wanted)
    : findFew(searched, places, folded, wanted)
}

function findAll({ levels, range }: Searched, { levelMask, hasClips, position, limit }: Wanted): Found {
  const end = hasClips ? range.clipsEnd : range.end
  if (levelMask === allLevels) {
    const first = Math.min(range.first + position, end)
    const rows = Array.from({ length: Math.min(limit, end - first) }, (_, i) => first + i)
    return { rows, totalCount: end - range.first }
  }
  const page = new Page(position, limit)
  let totalCount = 0
  for (let row = range.first; row < end; row++) {
    if (((levelMask >> levels[row]!) & 1) === 0) continue
    totalCount++
    page.offer(row)
  }
  return { rows: page.rows, totalCount }
}

const allLevels = 0b111111

/** Takes the rows of one page out of all that are offered in order. */
class Page {
  readonly rows: number[] = []
  #skip: number
  readonly #limit: number

  constructor(position: number, limit: number) {
    this.#skip = position
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.rows.length === this.#limit
  }

  offer(row: number): void {
    if (this.#skip > 0) this.#skip--
    else if (!this.isFull) this.rows.push(row)
  }
}

/** The words that the text is, in the order of rows: their places come first. */
function exactRows(
  { search, range }: Searched,
  { from, to }: Places,
  isWanted: (row: number) => boolean,
  length: number,
): number[] {
  const rows: number[] = []
  for (let i = from; i < to; i++) {
    const position = search.suffixes[i]!
    const row = search.rowAt(position)
    if (!search.isStart(position) || !search.isEnd(position + length)) break
    if (row < range.end && isWanted(row)) rows.push(row)
  }
  return rows
}

function filterOf({ levels, range }: Searched, { levelMask, hasClips }: Wanted): (row: number) => boolean {
  const end = hasClips ? range.clipsEnd : range.end
  return (row) => row < end && ((levelMask >> levels[row]!) & 1) === 1
}

/** Where rows are gathered: those that the text is or begins, then those that contain it. */
let gathered = new Uint32Array(0)

/** Every place is looked at: a word is taken once, as beginning with the text where it does. */
function findFew(searched: Searched, places: Places, folded: string, wanted: Wanted): Found {
  const { search } = searched
  const room = places.to - places.from
  if (gathered.length < 2 * room) gathered = new Uint32Array(2 * room)
  const end = Buffer.byteLength(folded)
  let exactCount = 0
  let startingCount = 0
  let containingCount = 0
  for (let i = places.from; i < places.to; i++) {
    const position = search.suffixes[i]!
    const row = search.rowAt(position)
    if (!search.isStart(position)) gathered[room + containingCount++] = row
    else if (search.isEnd(position + end)) gathered[exactCount++] = row
    else gathered[exactCount + startingCount++] = row
  }
  // Words that the text is come first among the places, in order.
  const exact = gathered.subarray(0, exactCount)
  const starting = sorted(gathered.subarray(exactCount, exactCount + startingCount))
  const containing = withoutDoubles(sorted(gathered.subarray(room, room + containingCount)))
  const others = without(without(containing, starting), exact)
  const page = new Page(wanted.position, wanted.limit)
  let totalCount = 0
  for (const group of [exact, starting, others]) {
    const rows = wantedOf(group, searched, wanted)
    for (let i = 0; i < rows.length && !page.isFull; i++) page.offer(rows[i]!)
    totalCount += rows.length
  }
  return { rows: page.rows, totalCount }
}

/** Those of sorted rows that are wanted. In place. */
function wantedOf(rows: Uint32Array, searched: Searched, wanted: Wanted): Uint32Array {
  if (wanted.levelMask === allLevels && !wanted.hasClips) return rows
  const isWanted = filterOf(searched, wanted)
  let count = 0
  for (let i = 0; i < rows.length; i++) if (isWanted(rows[i]!)) rows[count++] = rows[i]!
  return rows.subarray(0, count)
}

function sorted(rows: Uint32Array): Uint32Array {
  radixSort(rows, rows.length)
  return rows
}

/** Sorted rows without others that are sorted too. In place. */
function without(rows: Uint32Array, others: Uint32Array): Uint32Array {
  if (others.length === 0) return rows
  let count = 0
  let at = 0
  for (let i = 0; i < rows.length; i++) {
    while (at < others.length && others[at]! < rows[i]!) at++
    if (others[at] !== rows[i]) rows[count++] = rows[i]!
  }
  return rows.subarray(0, count)
}

/** Sorted rows, each once. In place. */
function withoutDoubles(rows: Uint32Array): Uint32Array {
  let count = 0
  for (let i = 0; i < rows.length; i++) if (i === 0 || rows[i] !== rows[count - 1]) rows[count++] = rows[i]!
  return rows.subarray(0, count)
}

/** The lists of the table are read up to the end of the page; the total comes from its counts. */
function findFrequent(
  searched: Searched,
  places: Places,
  folded: string,
  frequent: Frequent,
  wanted: Wanted,
): Found {
  const isWanted = filterOf(searched, wanted)
  const { beginning, containing } = frequent
  const exact = exactRows(searched, places, isWanted, Buffer.byteLength(folded))
  const page = new Page(wanted.position, wanted.limit)
  for (const row of exact) page.offer(row)
  const first = new Set(exact)
  for (const list of [beginning, containing]) {
    // Rows with clips come first: behind the last of them there is nothing for who wants no others.
    const end = wanted.hasClips ? searched.range.clipsEnd : searched.range.end
    for (let row = list.next(); row >= 0 && row < end && !page.isFull; row = list.next())
      if (isWanted(row) && !first.has(row)) page.offer(row)
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
