import { partitionPoint } from '#kit/lower-bound.ts'
import { openTable } from '../table-file.ts'
import type { WordRange } from '../words/layout.ts'
import { FrequentTexts, type Frequent } from './frequent-texts.ts'
import { languageNumbers, tableName, type Places } from './layout.ts'

const nowhere = { from: 0, to: 0, length: 0 }

/** A language: its suffixes, its frequent texts, and the length of its longest text in bytes. */
interface Language {
  from: number
  to: number
  frequentFrom: number
  frequentTo: number
  longest: number
}

/** Finds the places of texts in the headwords. */
export class SearchTable {
  readonly suffixes: Uint32Array
  readonly #text: Uint8Array
  readonly #starts: Uint32Array
  readonly #frequent: FrequentTexts
  /** By the first row of the language. */
  readonly #languages = new Map<number, Language>()
  /** The text that is searched for. */
  readonly #sought: Uint8Array<ArrayBuffer>

  /** @throws {SyntaxError} when the bytes are no search table of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, tableName, path)
    this.suffixes = sections.u32('suffixes')
    this.#text = sections.u8('text')
    this.#starts = sections.u32('starts')
    this.#frequent = new FrequentTexts(sections)
    const languages = sections.u32('languages')
    let longestOfAll = 0
    for (let i = 0; i < languages.length; i += languageNumbers) {
      const numbers = [...languages.subarray(i, i + languageNumbers)]
      const [first, from, to, frequentFrom, longest] = numbers as [number, number, number, number, number]
      const frequentTo = languages[i + languageNumbers + 3] ?? this.#frequent.count
      this.#languages.set(first, { from, to, frequentFrom, frequentTo, longest })
      longestOfAll = Math.max(longestOfAll, longest)
    }
    this.#sought = new Uint8Array(longestOfAll * mostBytes)
  }

  /** The places of a folded text in the words of a language, and its length in bytes. */
  places(range: WordRange, folded: string): Places & { length: number } {
    const language = this.#languages.get(range.first)
    // A text has at least as many bytes as characters.
    if (!language || range.first === range.end || folded.length > language.longest) return nowhere
    const length = encoder.encodeInto(folded, this.#sought).written
    const isBelow = (place: number) => this.#compare(this.suffixes[place]!, this.#sought, length) < 0
    const from = partitionPoint(language.from, language.to, isBelow)
    const isNotAbove = (place: number) => this.#compare(this.suffixes[place]!, this.#sought, length) <= 0
    return { from, to: partitionPoint(from, language.to, isNotAbove), length }
  }

  /** The words that hold the text at these places; null unless it is a frequent one. */
  frequent(range: WordRange, places: Places): Frequent | null {
    const { frequentFrom, frequentTo } = this.#languages.get(range.first)!
    return this.#frequent.find(places, frequentFrom, frequentTo, range.first)
  }

  /** The row of the word of a language that a position of the text belongs to. */
  rowAt({ first, end }: WordRange, position: number): number {
    return partitionPoint(first, end, (row) => this.#starts[row + 1]! <= position)
  }

  /** Whether the word of a row holds a folded text, in UTF-8. */
  holds(row: number, folded: Uint8Array): boolean {
    const end = this.#starts[row + 1]! - 1
    for (let at = this.#starts[row]!; at + folded.length <= end; at++)
      if (this.#compare(at, folded, folded.length) === 0) return true
    return false
  }

  /** Whether a word begins at a position. */
  isStart(position: number): boolean {
    return position === 0 || this.#text[position - 1] === 0
  }

  /** Whether a word ends before a position. */
  isEnd(position: number): boolean {
    return this.#text[position] === 0
  }

  /** Compares the text at a position with the first `length` bytes of the one searched for. */
  #compare(position: number, sought: Uint8Array, length: number): number {
    const text = this.#text
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
