import { GrowingUint32Array } from '#kit/growing-array.ts'
import { comparedBytes, sortSuffixes } from '#kit/suffix-sort.ts'
import { levels } from '#contract/levels.ts'
import { openTable, writeTable } from './table-file.ts'
import type { WordRange } from './word-table.ts'

/** The table that words are searched with, written and opened (FORMAT.md, "search.bin"). Its rows are those of the table of words. */

/** A text that stands in more places than this has its words listed in the table. */
export const frequentOver = 16_384

/** The words that hold a frequent text, in the order of rows: those that begin with it, then the others. */
export interface Frequent {
  beginning: Uint32Array
  containing: Uint32Array
  /** How many of either there are: with clips or not, by level, in this order (`countIndex`). */
  counts: Uint32Array
}

/** Where a text stands: `suffixes[from … to)`, the words that it is coming first. */
export interface Places {
  from: number
  to: number
}

/** The index of a count among the 24 of a frequent text. */
export function countIndex(isContaining: boolean, hasClips: boolean, level: number): number {
  return ((isContaining ? 2 : 0) + (hasClips ? 0 : 1)) * levels.length + level
}

const blockShift = 4
const frequentWords = 5

interface SearchSource {
  /** The folded headwords by row. */
  folded: readonly string[] | { length: number; [row: number]: string }
  /** The levels' ranks by row. */
  levels: Uint8Array
  /** By language, in the order of rows. */
  ranges: readonly WordRange[]
  /** `frequentOver`, but in tests. */
  frequentOver?: number
}

/** The pieces of the file. */
export function writeSearchTable({
  folded,
  levels: levelOf,
  ranges,
  frequentOver: bound = frequentOver,
}: SearchSource): Uint8Array[] {
  const { text, starts } = packTexts(folded)
  const suffixes = new GrowingUint32Array()
  const languages: number[] = []
  const frequent = new GrowingUint32Array()
  const frequentRows = new GrowingUint32Array()
  const frequentCounts = new GrowingUint32Array()
  const marks = new Uint8Array(folded.length)
  for (const range of ranges) {
    const sorted = suffixesOf(text, starts[range.first]!, starts[range.end]!)
    const first = suffixes.length
    for (const position of sorted) suffixes.push(position)
    languages.push(range.first, first, suffixes.length, frequent.length / frequentWords)
    const rowAt = rowFinder(starts, range)
    for (const { from, to } of frequentPlaces(text, sorted, bound)) {
      const at = frequentRows.length
      let containingAt = 0
      const counts = new Uint32Array(24)
      for (let i = from; i < to; i++) {
        const row = rowAt(sorted[i]!)
        marks[row] = marks[row] === 1 || starts[row] === sorted[i]! ? 1 : 2
      }
      for (const mark of [1, 2]) {
        if (mark === 2) containingAt = frequentRows.length
        for (let row = range.first; row < range.end; row++) {
          if (marks[row] !== mark) continue
          frequentRows.push(row)
          counts[countIndex(mark === 2, row < range.clipsEnd, levelOf[row]!)]!++
        }
      }
      marks.fill(0, range.first, range.end)
      for (const value of [first + from, first + to, at, containingAt, frequentRows.length])
        frequent.push(value)
      for (const count of counts) frequentCounts.push(count)
    }
  }
  return writeTable('search', {
    languages: Uint32Array.from(languages),
    text,
    starts,
    blocks: blocksOf(starts, text.length),
    suffixes: suffixes.view(),
    frequent: frequent.view(),
    frequentCounts: frequentCounts.view(),
    frequentRows: frequentRows.view(),
  })
}

/** The texts one behind another in UTF-8, a 0 behind each. */
function packTexts(folded: SearchSource['folded']): {
  text: Uint8Array<ArrayBuffer>
  starts: Uint32Array<ArrayBuffer>
} {
  const starts = new Uint32Array(folded.length + 1)
  for (let row = 0; row < folded.length; row++)
    starts[row + 1] = starts[row]! + Buffer.byteLength(folded[row]!) + 1
  const text = Buffer.from(new ArrayBuffer(starts[folded.length]!))
  // A NUL in a headword can never be asked for; as a space it does not end the word.
  for (let row = 0; row < folded.length; row++) text.write(folded[row]!.replaceAll('\0', ' '), starts[row]!)
  return { text, starts }
}

/** Every position of `text[from … to)` at which a character begins, sorted. */
function suffixesOf(text: Uint8Array, from: number, to: number): Uint32Array {
  const positions = new GrowingUint32Array()
  for (let at = from; at < to; at++) if (text[at] !== 0 && (text[at]! & 0xc0) !== 0x80) positions.push(at)
  const sorted = positions.view()
  sortSuffixes(text, sorted)
  return sorted
}

function rowFinder(starts: Uint32Array, range: WordRange): (position: number) => number {
  const base = starts[range.first]!
  const rows = new Uint32Array(starts[range.end]! - base)
  for (let row = range.first; row < range.end; row++)
    rows.fill(row, starts[row]! - base, starts[row + 1]! - base)
  return (position) => rows[position - base]!
}

/** For every 16 bytes of text, the row that its first byte belongs to. */
function blocksOf(starts: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const blocks = new Uint32Array((size >> blockShift) + 1)
  for (let block = 0, row = 0; block < blocks.length; block++) {
    while (row + 2 < starts.length && starts[row + 1]! <= block << blockShift) row++
    blocks[block] = row
  }
  return blocks
}

/** The texts, whole characters, that stand in more than `bound` places: by where they begin among the suffixes, longer ones last; each range once. */
function frequentPlaces(text: Uint8Array, sorted: Uint32Array, bound: number): Places[] {
  const found: Places[] = []
  const visit = (from: number, to: number, depth: number) => {
    for (let at = from; at < to;) {
      const byte = text[sorted[at]! + depth]!
      const end = endOfByte(text, sorted, at, to, depth, byte)
      if (byte !== 0 && end - at > bound && depth < comparedBytes) {
        const endsCharacter = (text[sorted[at]! + depth + 1]! & 0xc0) !== 0x80
        const last = found.at(-1)
        if (endsCharacter && !(last?.from === at && last.to === end)) found.push({ from: at, to: end })
        visit(at, end, depth + 1)
      }
      at = end
    }
  }
  visit(0, sorted.length, 0)
  return found.sort((a, b) => a.from - b.from || b.to - a.to)
}

/** Behind the last of the suffixes from `from` on that have this byte at a depth. */
function endOfByte(
  text: Uint8Array,
  sorted: Uint32Array,
  from: number,
  to: number,
  depth: number,
  byte: number,
): number {
  let [low, high] = [from + 1, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (text[sorted[middle]! + depth]! <= byte) low = middle + 1
    else high = middle
  }
  return low
}

/** Finds where texts stand in the headwords. */
export class SearchTable {
  readonly starts: Uint32Array
  readonly suffixes: Uint32Array
  readonly #text: Uint8Array
  readonly #blocks: Uint32Array
  readonly #frequent: Uint32Array
  readonly #frequentCounts: Uint32Array
  readonly #frequentRows: Uint32Array
  /** By the first row of the language: its suffixes, and its frequent texts. */
  readonly #languages = new Map<number, Places & { frequentFrom: number; frequentTo: number }>()

  /** @throws {SyntaxError} when the bytes are no search table of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'search', path)
    this.starts = sections.u32('starts')
    this.suffixes = sections.u32('suffixes')
    this.#text = sections.u8('text')
    this.#blocks = sections.u32('blocks')
    this.#frequent = sections.u32('frequent')
    this.#frequentCounts = sections.u32('frequentCounts')
    this.#frequentRows = sections.u32('frequentRows')
    const languages = sections.u32('languages')
    for (let i = 0; i < languages.length; i += 4) {
      this.#languages.set(languages[i]!, {
        from: languages[i + 1]!,
        to: languages[i + 2]!,
        frequentFrom: languages[i + 3]!,
        frequentTo: languages[i + 4 + 3] ?? this.#frequent.length / frequentWords,
      })
    }
  }

  /** Where a folded text stands in the words of a language. */
  places(range: WordRange, folded: Uint8Array): Places {
    const language = this.#languages.get(range.first)
    if (!language || range.first === range.end) return { from: 0, to: 0 }
    const from = this.#lowest(language, folded, false)
    return { from, to: this.#lowest({ from, to: language.to }, folded, true) }
  }

  /** The words that hold the text at these places, if it is a frequent one. */
  frequent(range: WordRange, { from, to }: Places): Frequent | null {
    const { frequentFrom, frequentTo } = this.#languages.get(range.first)!
    let [low, high] = [frequentFrom, frequentTo]
    while (low < high) {
      const middle = (low + high) >> 1
      const at = middle * frequentWords
      const isBefore =
        this.#frequent[at]! < from || (this.#frequent[at] === from && this.#frequent[at + 1]! > to)
      if (isBefore) low = middle + 1
      else high = middle
    }
    const at = low * frequentWords
    if (low === frequentTo || this.#frequent[at] !== from || this.#frequent[at + 1] !== to) return null
    const [beginningAt, containingAt, end] = this.#frequent.subarray(
      at + 2,
      at + frequentWords,
    ) as unknown as [number, number, number]
    return {
      beginning: this.#frequentRows.subarray(beginningAt, containingAt),
      containing: this.#frequentRows.subarray(containingAt, end),
      counts: this.#frequentCounts.subarray(low * 24, low * 24 + 24),
    }
  }

  /** The row of the word that a position of the text belongs to. */
  rowAt(position: number): number {
    let row = this.#blocks[position >> blockShift]!
    while (this.starts[row + 1]! <= position) row++
    return row
  }

  /** The first place whose text is not below `folded`, or, with `behind`, the first behind all that begin with it. */
  #lowest({ from, to }: Places, folded: Uint8Array, behind: boolean): number {
    let [low, high] = [from, to]
    while (low < high) {
      const middle = (low + high) >> 1
      const order = this.#compare(this.suffixes[middle]!, folded)
      if (order < 0 || (behind && order === 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Below, above or 0 where the text at a position begins with `folded`. */
  #compare(position: number, folded: Uint8Array): number {
    const text = this.#text
    for (let i = 0; i < folded.length; i++) {
      const difference = text[position + i]! - folded[i]!
      if (difference !== 0) return difference
    }
    return 0
  }
}
