import { levels } from '#contract/levels.ts'
import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { partitionPoint } from '#kit/lower-bound.ts'
import type { Places } from './places.ts'

/**
 * The words of the texts that stand in many places, listed in the table of search: rows in order,
 * as varints of what each is above the one before.
 */

/** The words that hold a frequent text: those that begin with it, then the others. */
export interface Frequent {
  beginning: RowList
  containing: RowList
  /** How many of either there are: with clips or not, by level, in this order (`countIndex`). */
  counts: Uint32Array
}

/** The index of a count among the 24 of a frequent text. */
export function countIndex(isContaining: boolean, hasClips: boolean, level: number): number {
  return ((isContaining ? 2 : 0) + (hasClips ? 0 : 1)) * levels.length + level
}

const countsEach = 4 * levels.length
/**
 * Of a text: its suffixes (from, to), and where its rows are: those that begin with it, those that
 * contain it, the end.
 */
const wordsEach = 5

/** Rows of a list, ascending. */
export class RowList {
  readonly #gaps: ByteReader
  #row: number

  constructor(bytes: Uint8Array, from: number, to: number, firstRow: number) {
    this.#gaps = new ByteReader(bytes.subarray(from, to))
    this.#row = firstRow
  }

  /** The next row; −1 behind the last. */
  next(): number {
    if (this.#gaps.at === this.#gaps.bytes.length) return -1
    return (this.#row += this.#gaps.varint())
  }
}

/** Gathers the lists, text by text. */
export class FrequentWriter {
  readonly #texts = new GrowingUint32Array()
  readonly #counts = new GrowingUint32Array()
  readonly #rows = new ByteWriter()

  get count(): number {
    return this.#texts.length / wordsEach
  }

  /**
   * Adds a text: its places among all suffixes, its words by row, each once, and what is counted of
   * a word.
   */
  add(
    { from, to }: Places,
    firstRow: number,
    lists: { beginning: Uint32Array; containing: Uint32Array },
    word: { hasClips(row: number): boolean; level(row: number): number },
  ): void {
    const counts = new Uint32Array(countsEach)
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

/** The lists of an opened table. */
export class FrequentTexts {
  readonly #texts: Uint32Array
  readonly #counts: Uint32Array
  readonly #rows: Uint8Array
  /** In how many places the least frequent of them stands. */
  readonly #fewest: number

  constructor(texts: Uint32Array, counts: Uint32Array, rows: Uint8Array) {
    this.#texts = texts
    this.#counts = counts
    this.#rows = rows
    let fewest = Infinity
    for (let at = 0; at < texts.length; at += wordsEach)
      fewest = Math.min(fewest, texts[at + 1]! - texts[at]!)
    this.#fewest = fewest
  }

  get count(): number {
    return this.#texts.length / wordsEach
  }

  /**
   * The words of the text at these places, sought among the texts `from … to` of its language; null
   * where it is not one of them.
   */
  find(places: Places, from: number, to: number, firstRow: number): Frequent | null {
    if (places.to - places.from < this.#fewest) return null
    const low = partitionPoint(from, to, (text) => this.#isBefore(text, places))
    const at = low * wordsEach
    const texts = this.#texts
    if (low === to || texts[at] !== places.from || texts[at + 1] !== places.to) return null
    return {
      beginning: new RowList(this.#rows, texts[at + 2]!, texts[at + 3]!, firstRow),
      containing: new RowList(this.#rows, texts[at + 3]!, texts[at + 4]!, firstRow),
      counts: this.#counts.subarray(low * countsEach, (low + 1) * countsEach),
    }
  }

  /** By where texts begin, longer ones last. */
  #isBefore(text: number, { from, to }: Places): boolean {
    const [textFrom, textTo] = [this.#texts[text * wordsEach]!, this.#texts[text * wordsEach + 1]!]
    return textFrom < from || (textFrom === from && textTo > to)
  }
}
