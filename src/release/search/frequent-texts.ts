import { ByteReader } from '#kit/byte-reader.ts'
import { partitionPoint } from '#kit/lower-bound.ts'
import type { Sections } from '../table-file.ts'
import { countNumbers, frequentNumbers, type Places } from './layout.ts'

/** The words that hold a frequent text: those that begin with it, then the others. */
export interface Frequent {
  beginning: RowList
  containing: RowList
  /** How many of either there are, by `countIndex`. */
  counts: Uint32Array
}

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

/**
 * The words of the texts that stand in many places, as lists of rows: varints of the differences
 * between neighbours.
 */
export class FrequentTexts {
  readonly #texts: Uint32Array
  readonly #counts: Uint32Array
  readonly #rows: Uint8Array
  /** How many places the least frequent of them has. */
  readonly #fewest: number

  constructor(sections: Sections) {
    this.#texts = sections.u32('frequent')
    this.#counts = sections.u32('frequentCounts')
    this.#rows = sections.u8('frequentRows')
    let fewest = Infinity
    for (let at = 0; at < this.#texts.length; at += frequentNumbers)
      fewest = Math.min(fewest, this.#texts[at + 1]! - this.#texts[at]!)
    this.#fewest = fewest
  }

  get count(): number {
    return this.#texts.length / frequentNumbers
  }

  /** The words of the text at these places, if it is one of the texts `from … to`, else null. */
  find(places: Places, from: number, to: number, firstRow: number): Frequent | null {
    if (places.to - places.from < this.#fewest) return null
    const low = partitionPoint(from, to, (text) => this.#isBefore(text, places))
    const at = low * frequentNumbers
    const texts = this.#texts
    if (low === to || texts[at] !== places.from || texts[at + 1] !== places.to) return null
    return {
      beginning: new RowList(this.#rows, texts[at + 2]!, texts[at + 3]!, firstRow),
      containing: new RowList(this.#rows, texts[at + 3]!, texts[at + 4]!, firstRow),
      counts: this.#counts.subarray(low * countNumbers, (low + 1) * countNumbers),
    }
  }

  /** Texts are ordered by `from`, longer ones last. */
  #isBefore(text: number, { from, to }: Places): boolean {
    const [textFrom, textTo] = [
      this.#texts[text * frequentNumbers]!,
      this.#texts[text * frequentNumbers + 1]!,
    ]
    return textFrom < from || (textFrom === from && textTo > to)
  }
}
