import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { partitionPoint } from '#kit/lower-bound.ts'
import { comparedBytes, sortSuffixes } from '#kit/suffix-sort.ts'
import { writeTable } from '../table-file.ts'
import type { WordRange } from '../words/layout.ts'
import { countIndex, countNumbers, frequentNumbers, frequentOver, tableName, type Places } from './layout.ts'

interface SearchSource {
  /** The folded headwords by row. */
  folded: readonly string[]
  /** The levels' ranks by row. */
  levels: Uint8Array
  /** By language, in the order of rows. */
  ranges: readonly WordRange[]
  /** Differs from the constant only in tests. */
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
  return writeTable(tableName, {
    languages: Uint32Array.from(languages),
    text,
    starts,
    suffixes: suffixes.view(),
    ...frequent.finish(),
  })
}

/**
 * The words that positions belong to, each once, by row: those that begin there, and the others.
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

/** The length of the longest text in bytes. */
function longestOf(starts: Uint32Array, { first, end }: WordRange): number {
  let longest = 0
  for (let row = first; row < end; row++) longest = Math.max(longest, starts[row + 1]! - starts[row]! - 1)
  return longest
}

/** The texts end to end in UTF-8, each with a 0 behind it. */
function packTexts(folded: SearchSource['folded']): {
  text: Uint8Array<ArrayBuffer>
  starts: Uint32Array<ArrayBuffer>
} {
  const starts = new Uint32Array(folded.length + 1)
  for (let row = 0; row < folded.length; row++)
    starts[row + 1] = starts[row]! + Buffer.byteLength(folded[row]!) + 1
  const text = Buffer.from(new ArrayBuffer(starts[folded.length]!))
  // A NUL would end the word. No query can hold one, so a space does as well.
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
 * Where the texts of whole characters stand that have more than `bound` places: ordered by `from`,
 * longer texts last, each range once.
 */
function frequentPlaces(text: Uint8Array, sorted: Uint32Array, bound: number): Places[] {
  const found: Places[] = []
  const visit = (from: number, to: number, depth: number) => {
    for (let at = from; at < to;) {
      const byte = text[sorted[at]! + depth]!
      // The suffixes from there on have a greater byte at this depth.
      const end = partitionPoint(at + 1, to, (i) => text[sorted[i]! + depth]! <= byte)
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

/** Builds the sections that list the words of frequent texts, text by text. */
class FrequentWriter {
  readonly #texts = new GrowingUint32Array()
  readonly #counts = new GrowingUint32Array()
  readonly #rows = new ByteWriter()

  get count(): number {
    return this.#texts.length / frequentNumbers
  }

  /** Adds a text: its places, its words by row, each once, and what is counted of a word. */
  add(
    { from, to }: Places,
    firstRow: number,
    lists: { beginning: Uint32Array; containing: Uint32Array },
    word: { hasClips(row: number): boolean; level(row: number): number },
  ): void {
    const counts = new Uint32Array(countNumbers)
    this.#texts.push(from)
    this.#texts.push(to)
    for (const list of [lists.beginning, lists.containing]) {
      this.#texts.push(this.#rows.length)
      let before = firstRow
      for (const row of list) {
        this.#rows.varint(row - before)
        before = row
        counts[countIndex(list === lists.containing, word.hasClips(row), word.level(row))]!++
      }
    }
    this.#texts.push(this.#rows.length)
    for (const count of counts) this.#counts.push(count)
  }

  finish() {
    return {
      frequent: this.#texts.view(),
      frequentCounts: this.#counts.view(),
      frequentRows: this.#rows.view(),
    }
  }
}
