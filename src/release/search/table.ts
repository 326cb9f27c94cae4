import { GrowingUint32Array } from '#kit/growing-array.ts'
import { radixSort } from '#kit/radix-sort.ts'
import { comparedBytes, sortSuffixes } from '#kit/suffix-sort.ts'
import { FrequentTexts, FrequentWriter, type Frequent } from './frequent-texts.ts'
import type { Places } from './places.ts'
import { sampleSuffixes, SuffixSamples } from './suffix-samples.ts'
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

/** 32 bytes of text a block: a bit each. */
const blockShift = 5

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
  const samples = new GrowingUint32Array()
  const languages: number[] = []
  const frequent = new FrequentWriter()
  for (const range of ranges) {
    const sorted = suffixesOf(text, starts[range.first]!, starts[range.end]!)
    const first = suffixes.length
    const longest = longestOf(starts, range)
    languages.push(range.first, first, first + sorted.length, samples.length / 2, frequent.count, longest)
    for (const position of sorted) suffixes.push(position)
    for (const word of sampleSuffixes(text, sorted)) samples.push(word)
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
    blocks: blocksOf(starts, text.length),
    suffixes: suffixes.view(),
    samples: samples.view(),
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
  radixSort(beginning, 0, beginning.length)
  radixSort(rows, 0, rows.length)
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
 * For every 32 bytes of text, how many texts begin before them, and a bit for each of them that one
 * begins at.
 */
function blocksOf(starts: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const blocks = new Uint32Array(((size >>> blockShift) + 1) * 2)
  let row = 0
  for (let block = 0; block < blocks.length / 2; block++) {
    blocks[block * 2] = row
    for (; row < starts.length - 1 && starts[row]! >>> blockShift === block; row++)
      blocks[block * 2 + 1]! |= 1 << (starts[row]! & 31)
  }
  return blocks
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
  let [low, high] = [from + 1, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (text[sorted[middle]! + depth]! <= byte) low = middle + 1
    else high = middle
  }
  return low
}

const nowhere = { from: 0, to: 0, length: 0 }

/** Finds where texts stand in the headwords. */
export class SearchTable {
  readonly suffixes: Uint32Array
  readonly #text: Uint8Array
  readonly #blocks: Uint32Array
  readonly #frequent: FrequentTexts
  /** By the first row of the language: its suffixes, and its frequent texts. */
  readonly #languages = new Map<
    number,
    { from: number; samples: SuffixSamples; frequentFrom: number; frequentTo: number; longest: number }
  >()
  /** The text that is sought. */
  readonly #sought: Uint8Array<ArrayBuffer>

  /** @throws {SyntaxError} when the bytes are no search table of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'search', path)
    this.suffixes = sections.u32('suffixes')
    this.#text = sections.u8('text')
    this.#blocks = sections.u32('blocks')
    this.#frequent = new FrequentTexts(
      sections.u32('frequent'),
      sections.u32('frequentCounts'),
      sections.u8('frequentRows'),
    )
    const samples = sections.u32('samples')
    const languages = sections.u32('languages')
    let longest = 0
    for (let i = 0; i < languages.length; i += 6) {
      const [from, to] = [languages[i + 1]!, languages[i + 2]!]
      this.#languages.set(languages[i]!, {
        from,
        samples: new SuffixSamples(samples, languages[i + 3]!, to - from),
        frequentFrom: languages[i + 4]!,
        frequentTo: languages[i + 6 + 4] ?? this.#frequent.count,
        longest: languages[i + 5]!,
      })
      longest = Math.max(longest, languages[i + 5]!)
    }
    this.#sought = new Uint8Array(longest * mostBytes)
  }

  /** Where a folded text stands in the words of a language, and its length in bytes. */
  places(range: WordRange, folded: string): Places & { length: number } {
    const language = this.#languages.get(range.first)
    // A text has at least as many bytes as characters.
    if (!language || range.first === range.end || folded.length > language.longest) return nowhere
    const { from, samples } = language
    const text = this.#sought
    const length = encode(folded, text)
    const begin = samples.begin(text, length)
    const end = samples.end(text, length, begin)
    // The samples tell only the beginning of a longer text: it is somewhere between.
    const [beginsBefore, endsBehind] = samples.tellWhole(length) ? [begin, end] : [end, begin]
    const first = this.#lowest(from + samples.firstBefore(begin), from + samples.endAt(beginsBefore), length)
    const sure = Math.max(first, from + samples.firstBefore(endsBehind))
    return { from: first, to: this.#behind(sure, from + samples.endAt(end), length), length }
  }

  /** The words that hold the text at these places, if it is a frequent one. */
  frequent(range: WordRange, places: Places): Frequent | null {
    const { frequentFrom, frequentTo } = this.#languages.get(range.first)!
    return this.#frequent.find(places, frequentFrom, frequentTo, range.first)
  }

  /**
   * The row of the word that a position of the text belongs to: one less than how many begin up to
   * there.
   */
  rowAt(position: number): number {
    const block = (position >>> blockShift) * 2
    return (
      this.#blocks[block]! + bitsIn(this.#blocks[block + 1]! & (0xffffffff >>> (31 - (position & 31)))) - 1
    )
  }

  /** Whether a word begins at a position. */
  isStart(position: number): boolean {
    return ((this.#blocks[(position >>> blockShift) * 2 + 1]! >>> (position & 31)) & 1) === 1
  }

  /** Whether a word ends before a position. */
  isEnd(position: number): boolean {
    return this.#text[position] === 0
  }

  /** The first place of `from … to` whose text is not below the one sought. */
  #lowest(from: number, to: number, length: number): number {
    let [low, high] = [from, to]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(this.suffixes[middle]!, length) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * The first place of `from … to` behind all that begin with the text sought. Most texts stand in
   * few places: it is looked for in steps that double.
   */
  #behind(from: number, to: number, length: number): number {
    let [low, high] = [from, to]
    for (let ahead = 1; low < high; ahead *= 2) {
      const next = Math.min(low + ahead, high) - 1
      if (this.#compare(this.suffixes[next]!, length) > 0) high = next
      else low = next + 1
      if (high === next) break
    }
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(this.suffixes[middle]!, length) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Below, above or 0 where the text at a position begins with the one sought. */
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
/** What a UTF-16 unit takes in UTF-8 at most. */
const mostBytes = 3

/**
 * Writes a text in UTF-8; gives its length. Plain letters go one by one: a call into the engine
 * costs as much as twenty of them.
 */
function encode(text: string, into: Uint8Array<ArrayBuffer>): number {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return encoder.encodeInto(text, into).written
    into[i] = code
  }
  return text.length
}

/** How many bits of a word of 32 are set (Warren, "Hacker's Delight", 5-1). */
function bitsIn(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
