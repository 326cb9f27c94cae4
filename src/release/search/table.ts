import { GrowingUint32Array } from '#kit/growing-array.ts'
import { partitionPoint } from '#kit/lower-bound.ts'
import { comparedBytes, sortSuffixes } from '#kit/suffix-sort.ts'
import { FrequentTexts, FrequentWriter, type Frequent } from './frequent-texts.ts'
import type { Places } from './places.ts'
import { openTable, writeTable } from '../table-file.ts'
import type { WordRange } from '../words/reader.ts'

/**
 * The table that words are searched with, written and opened (FORMAT.md, "search.bin"). Its rows
 * are those of the table of words.
 */

/**
 * A text that stands in more places than this has its words listed in the table: 44 MB of a million
 * words. With a bound of 2,048 it was 31 MB, and a text of three to six letters took four times as
 * long on average.
 */
export const frequentOver = 256

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
  const frequent = new FrequentWriter()
  for (const range of ranges) {
    const sorted = suffixesOf(text, starts[range.first]!, starts[range.end]!)
    const first = suffixes.length
    const longest = longestOf(starts, range)
    languages.push(range.first, first, first + sorted.length, frequent.count, longest)
    for (const position of sorted) suffixes.push(position)
    const rowAt = rowFinder(starts, range)
    const word = { hasClips: (row: number) => row < range.clipsEnd, level: (row: number) => levelOf[row]! }
    for (const { from, to } of frequentPlaces(text, sorted, bound)) {
      const lists = wordsOf(sorted.subarray(from, to), starts, rowAt)
      frequent.add({ from: first + from, to: first + to }, range.first, lists, word)
    }
  }
  return writeTable('search', {
    languages: Uint32Array.from(languages),
    text,
    starts,
    suffixes: suffixes.view(),
    ...frequent.finish(),
  })
}

/**
 * The words that places belong to, each once, in order: those that begin there, then the others.
 */
function wordsOf(
  positions: Uint32Array,
  starts: Uint32Array,
  rowAt: (position: number) => number,
): { beginning: Uint32Array; containing: Uint32Array } {
  const rows = positions.map(rowAt)
  const beginning = rows.filter((row, i) => starts[row] === positions[i])
  beginning.sort()
  rows.sort()
  let next = 0
  const containing = rows.filter((row, i) => {
    while (next < beginning.length && beginning[next]! < row) next++
    return row !== rows[i - 1] && row !== beginning[next]
  })
  return { beginning, containing }
}

/** How many bytes the longest of the texts has. */
function longestOf(starts: Uint32Array, { first, end }: WordRange): number {
  let longest = 0
  for (let row = first; row < end; row++) longest = Math.max(longest, starts[row + 1]! - starts[row]! - 1)
  return longest
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

/**
 * The texts, whole characters, that stand in more than `bound` places: by where they begin among
 * the suffixes, longer ones last; each range once.
 */
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
  return partitionPoint(from + 1, to, (i) => text[sorted[i]! + depth]! <= byte)
}

const nowhere = { from: 0, to: 0, length: 0 }

/** How many numbers the section `languages` has for each. */
const languageWords = 5

/** The suffixes of a language, its frequent texts, and the bytes of its longest text. */
interface Language {
  from: number
  to: number
  frequentFrom: number
  frequentTo: number
  longest: number
}

/** Finds where texts stand in the headwords. */
export class SearchTable {
  readonly suffixes: Uint32Array
  readonly #text: Uint8Array
  readonly #starts: Uint32Array
  readonly #frequent: FrequentTexts
  /** By the first row of the language. */
  readonly #languages = new Map<number, Language>()
  /** The text that is sought. */
  readonly #sought: Uint8Array<ArrayBuffer>

  /** @throws {SyntaxError} when the bytes are no search table of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'search', path)
    this.suffixes = sections.u32('suffixes')
    this.#text = sections.u8('text')
    this.#starts = sections.u32('starts')
    this.#frequent = new FrequentTexts(
      sections.u32('frequent'),
      sections.u32('frequentCounts'),
      sections.u8('frequentRows'),
    )
    const languages = sections.u32('languages')
    let longestOfAll = 0
    for (let i = 0; i < languages.length; i += languageWords) {
      const [first, from, to, frequentFrom, longest] = languages.subarray(i, i + languageWords)
      const frequentTo = languages[i + languageWords + 3] ?? this.#frequent.count
      this.#languages.set(first!, {
        from: from!,
        to: to!,
        frequentFrom: frequentFrom!,
        frequentTo,
        longest: longest!,
      })
      longestOfAll = Math.max(longestOfAll, longest!)
    }
    this.#sought = new Uint8Array(longestOfAll * mostBytes)
  }

  /** Where a folded text stands in the words of a language, and its length in bytes. */
  places(range: WordRange, folded: string): Places & { length: number } {
    const language = this.#languages.get(range.first)
    // A text has at least as many bytes as characters.
    if (!language || range.first === range.end || folded.length > language.longest) return nowhere
    const length = encode(folded, this.#sought)
    const isBelow = (place: number) => this.#compare(this.suffixes[place]!, length) < 0
    const from = partitionPoint(language.from, language.to, isBelow)
    const isNotAbove = (place: number) => this.#compare(this.suffixes[place]!, length) <= 0
    return { from, to: partitionPoint(from, language.to, isNotAbove), length }
  }

  /** The words that hold the text at these places, if it is a frequent one. */
  frequent(range: WordRange, places: Places): Frequent | null {
    const { frequentFrom, frequentTo } = this.#languages.get(range.first)!
    return this.#frequent.find(places, frequentFrom, frequentTo, range.first)
  }

  /** The row of the word of a language that a position of the text belongs to. */
  rowAt({ first, end }: WordRange, position: number): number {
    return partitionPoint(first, end, (row) => this.#starts[row + 1]! <= position)
  }

  /** Whether a word begins at a position. */
  isStart(position: number): boolean {
    return position === 0 || this.#text[position - 1] === 0
  }

  /** Whether a word ends before a position. */
  isEnd(position: number): boolean {
    return this.#text[position] === 0
  }

  /** Below, above or 0 if the text at a position begins with the one sought. */
  #compare(position: number, length: number): number {
    const text = this.#text
    const sought = this.#sought
    for (let i = 0; i < length; i++) {
      const difference = text[position + i]! - sought[i]!
      if (difference !== 0) return difference
    }
    return 0
  }
}

const encoder = new TextEncoder()
/** The most bytes that a UTF-16 unit takes in UTF-8. */
const mostBytes = 3

/** Writes a text in UTF-8; returns its length. */
function encode(text: string, into: Uint8Array<ArrayBuffer>): number {
  return encoder.encodeInto(text, into).written
}
