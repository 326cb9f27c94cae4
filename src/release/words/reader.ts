import type { Gloss, Meanings } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import { toByteText } from '#kit/byte-text.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { numberHash } from '#kit/text-hash.ts'
import { buildSlots, findInSlots } from '../hash-slots.ts'
import { wordClipsPath, type DataFile } from '../paths.ts'
import { digestAt, digestBytes, openTable, type Opened, type TableBytes } from '../table-file.ts'
import * as layout from './layout.ts'
import type { ClipList, WordEntry, WordRange } from './layout.ts'

/** Neighbouring items of a list on one page: the page, and the numbers of its items. */
export interface PageCut extends DataFile {
  from: number
  to: number
}

/** The words of a release, as look-ups over columns. Rows are in the order of `byRow`. */
export class WordTable {
  static readonly diskColumns = layout.diskColumns
  readonly #columns: Opened<typeof layout.columns>
  /** The glosses with meanings in the table, which may differ from the program's. */
  readonly #glosses: readonly string[]
  readonly #languages: readonly [code: string, range: WordRange][]
  /** The hash table of word ids. A Map of a million words would take 0.4 s. */
  readonly #byId: Uint32Array
  readonly #numbers: Uint32Array
  /** Keyed by language and rank, built on demand. */
  readonly #upToLevel = new Map<string, Uint8Array<ArrayBuffer>>()

  /** @throws {SyntaxError} the bytes are not a table of words of this version */
  constructor(bytes: TableBytes, path: string) {
    this.#columns = openTable(layout.tableName, layout.columns, bytes, path)
    this.#glosses = this.#columns.glosses as string[]
    this.#languages = Object.entries(this.#columns.languages as Record<string, WordRange>)
    this.#byId = buildSlots(this.wordIds.map((wordId) => numberHash(wordId)))
    this.#numbers = new Uint32Array(this.count)
    for (const [number, row] of this.#columns.rowsByNumber.entries()) this.#numbers[row] = number
  }

  /** The ids, by row. */
  get wordIds(): Uint32Array {
    return this.#columns.wordIds
  }

  /** The ranks of the levels, by row. */
  get levels(): Uint8Array<ArrayBuffer> {
    return this.#columns.levels
  }

  get count(): number {
    return this.wordIds.length
  }

  get languages(): string[] {
    return this.#languages.map(([code]) => code)
  }

  rangeOf(language: string): WordRange {
    return this.#languages.find(([code]) => code === language)?.[1] ?? { first: 0, clipsEnd: 0, end: 0 }
  }

  wordId(row: number): number {
    return this.wordIds[row]!
  }

  language(row: number): string {
    return this.#languages.findLast(([, { first }]) => first <= row)![0]
  }

  /** Returns the row of a word by its id; −1 if there is none. */
  find(wordId: number): number {
    return findInSlots(this.#byId, numberHash(wordId), (row) => this.wordId(row) === wordId)
  }

  /** Returns the row of the word with a number, by which clips refer to it. */
  rowOf(number: number): number {
    return this.#columns.rowsByNumber[number]!
  }

  /** Returns the number of the word in a row (see `rowOf`); undefined if there is no such row. */
  numberOf(row: number): number | undefined {
    return this.#numbers[row]
  }

  /** Returns whether each word, by its number, is at or below a level: 1 or 0. Do not change it. */
  upToLevel(language: string, rank: number): Uint8Array<ArrayBuffer> {
    return this.#upToLevel.getOrInsertComputed(`${language} ${rank}`, () => {
      const { first, end } = this.rangeOf(language)
      const rows = this.#columns.rowsByNumber.subarray(first, end)
      return Uint8Array.from(rows, (row) => Number(this.levels[row]! <= rank))
    })
  }

  clipCount(row: number): number {
    const last = this.#columns.pageAt[row + 1]!
    return last === this.#columns.pageAt[row]! ? 0 : this.#columns.pageEnds[last - 1]!
  }

  /** Returns the numbers of its clips by level, A1 to C2. */
  clipsByLevel(row: number): Uint32Array {
    return this.#columns.clipsByLevel.subarray(row * levels.length, (row + 1) * levels.length)
  }

  get pageCount(): number {
    return this.#columns.pageEnds.length
  }

  /** Returns the pages of its list, in order. */
  pages(row: number): DataFile[] {
    const [first, end] = [this.#columns.pageAt[row]!, this.#columns.pageAt[row + 1]!]
    return Array.from({ length: end - first }, (_, i) => this.#page(row, first + i))
  }

  /** Returns the places of the items `start … end` of its list, page by page. */
  cut(row: number, start: number, end: number): PageCut[] {
    const [first, last] = [this.#columns.pageAt[row]!, this.#columns.pageAt[row + 1]!]
    const ends = this.#columns.pageEnds.subarray(first, last)
    const cuts: PageCut[] = []
    for (let page = lowerBound(ends, start + 1), at = start; at < end; page++) {
      const before = page === 0 ? 0 : ends[page - 1]!
      const to = Math.min(end, ends[page]!)
      cuts.push({ ...this.#page(row, first + page), from: at - before, to: to - before })
      at = to
    }
    return cuts
  }

  /**
   * Returns the JSON of a word from its opening brace to its meaning, as a byte text. The meaning
   * is in the requested gloss, or in English, or missing (contract 2).
   */
  openingOf(row: number, gloss: Gloss): string {
    const { shownParts: parts } = this.#columns
    const opening = this.#opening(row)
    const meaning = opening + 1 + this.#glosses.indexOf(gloss)
    // The English meaning follows the opening, because one text is read in half the time of two.
    if (meaning <= opening + 1 || parts.isEmpty(meaning)) return `${parts.byteText(opening, opening + 2)}"`
    return `${parts.byteText(opening)}${parts.byteText(meaning)}"`
  }

  /** Returns the meaning of a word in a gloss; empty if it has none. */
  meaning(row: number, gloss: Gloss): string {
    const number = this.#glosses.indexOf(gloss)
    const text = number < 0 ? '' : this.#columns.shownParts.text(this.#opening(row) + 1 + number)
    return text === '' ? '' : (JSON.parse(`"${text}"`) as string)
  }

  /** Returns the JSON of a word as a byte text, with its meaning in a gloss and more fields. */
  record(row: number, gloss: Gloss, fields: Record<string, unknown> = {}): string {
    let more = ''
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) more += `,"${name}":${toByteText(JSON.stringify(value))}`
    return `${this.openingOf(row, gloss)},"clipCount":${this.clipCount(row)}${more}}`
  }

  /** Returns the index of a word's JSON up to its meaning. The meanings by gloss follow. */
  #opening(row: number): number {
    return row * (1 + this.#glosses.length)
  }

  word(row: number): string {
    return this.#shownFields(row).word
  }

  /** Returns the fields that responses show, except for the meaning. */
  #shownFields(row: number): Omit<WordEntry, 'meanings' | 'forms'> {
    const opening = this.#columns.shownParts.text(this.#opening(row))
    const { meaning: _, ...entry } = JSON.parse(`${opening}"}`) as WordEntry & { meaning: '' }
    return entry
  }

  forms(row: number): string[] {
    return JSON.parse(this.#columns.forms.text(row)) as string[]
  }

  entry(row: number): WordEntry {
    const meanings: Record<string, string> = {}
    for (const [number, gloss] of this.#glosses.entries()) {
      const meaning = this.#columns.shownParts.text(this.#opening(row) + 1 + number)
      if (meaning !== '') meanings[gloss] = JSON.parse(`"${meaning}"`) as string
    }
    const { wordId, word, ...more } = this.#shownFields(row)
    return { wordId, word, ...more, meanings: meanings as Meanings, forms: this.forms(row) }
  }

  /** Returns the list of a word's clips; null if it has none. */
  list(row: number): ClipList | null {
    const [first, end] = [this.#columns.pageAt[row]!, this.#columns.pageAt[row + 1]!]
    if (first === end) return null
    const ends = [0, ...this.#columns.pageEnds.subarray(first, end)]
    const pages = Array.from({ length: end - first }, (_, i) => ({
      count: ends[i + 1]! - ends[i]!,
      digest: digestAt(this.#columns.pageDigests, first + i),
    }))
    return { clipsByLevel: [...this.clipsByLevel(row)], pages }
  }

  /** Returns the place of a file of its list, by the number of the page in the table. */
  #page(row: number, page: number): DataFile {
    const { pageDigests } = this.#columns
    const name = pageDigests.toString('hex', page * digestBytes, page * digestBytes + layout.pageNameBytes)
    const path = wordClipsPath(this.language(row), this.wordId(row), name)
    return { path, digest: digestAt(pageDigests, page) }
  }
}
