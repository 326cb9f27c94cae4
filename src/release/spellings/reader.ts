import { partitionPoint } from '#kit/lower-bound.ts'
import { caseKey } from '#language/lower-case.ts'
import { bareSpelling, hyphensAsSpaces, spellingFolds } from '#language/spelling-fold.ts'
import { openTable, readLanguages } from '../table-file.ts'
import { bareBit, headwordBit, languageNumbers, rowBits, tableName } from './layout.ts'

/** The entries `from … to` have keys that begin with a text; those up to `exactEnd` equal it. */
export interface SpellingRange {
  from: number
  exactEnd: number
  to: number
}

interface Language {
  first: number
  end: number
  firstEntry: number
  endEntry: number
  /** A character for each byte: a string is searched faster than a buffer. */
  headwords: string
}

const nothing: Language = { first: 0, end: 0, firstEntry: 0, endEntry: 0, headwords: '' }

/**
 * The spellings of words: the headwords by row, to be searched for text inside them, and all
 * spellings by their folded text, to be looked up.
 */
export class SpellingsTable {
  readonly #headwordAt: Uint32Array
  readonly #keyAt: Uint32Array
  readonly #keys: Buffer
  readonly #shownAt: Uint32Array
  readonly #shown: Buffer
  readonly #rows: Uint32Array
  readonly #languages = new Map<string, Language>()

  /** @throws {SyntaxError} when the bytes are no table of spellings of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, tableName, path)
    this.#headwordAt = sections.u32('headwordAt')
    this.#keyAt = sections.u32('keyAt')
    this.#keys = sections.u8('keys')
    this.#shownAt = sections.u32('shownAt')
    this.#shown = sections.u8('shown')
    this.#rows = sections.u32('rows')
    const words = this.#headwordAt.length - 1
    for (const { code, numbers, next } of readLanguages(sections, languageNumbers)) {
      const [, first, firstEntry] = numbers as unknown as [number, number, number]
      const [, end = words, endEntry = this.#rows.length] = next ?? []
      const [from, to] = [this.#headwordAt[first], this.#headwordAt[end]]
      const headwords = sections.u8('headwords').toString('latin1', from, to)
      this.#languages.set(code, { first, end, firstEntry, endEntry, headwords })
    }
  }

  /**
   * Calls `found` for every word of a language whose folded headword holds a folded text: with its
   * row, and whether the text is all of it or its beginning.
   */
  eachHolding(
    folded: string,
    language: string,
    found: (row: number, isAll: boolean, isBeginning: boolean) => void,
  ): void {
    const { first, end, headwords } = this.#languages.get(language) ?? nothing
    const starts = this.#headwordAt
    const sought = Buffer.from(folded).toString('latin1')
    for (let row = first; row < end; row++) {
      const at = headwords.indexOf(sought, starts[row]! - starts[first]!) + starts[first]!
      if (at < starts[row]!) return
      while (starts[row + 1]! <= at) row++
      const isBeginning = at === starts[row]
      found(row, isBeginning && at + sought.length + 1 === starts[row + 1], isBeginning)
    }
  }

  /** The entries of a language whose key begins with a folded text (`spellingFolds`). */
  find(folded: string, language: string): SpellingRange {
    const { firstEntry, endEntry } = this.#languages.get(language) ?? nothing
    const text = Buffer.from(folded)
    const from = partitionPoint(firstEntry, endEntry, (at) => this.#compare(at, text) < 0)
    const to = partitionPoint(from, endEntry, (at) => this.#comparePrefix(at, text) <= 0)
    const exactEnd = partitionPoint(from, to, (at) => this.#compare(at, text) === 0)
    return { from, exactEnd, to }
  }

  /**
   * The rows of the words that have this spelling, best first (contract 1.5): those that are
   * spelled exactly so, for which hyphen and space are the same, or else those that are spelled so
   * after folding. Headwords come before other spellings, those with the same hyphens before
   * others, then by row.
   */
  named(text: string, language: string): number[] {
    const folds = spellingFolds(text, language)
    const keys = new Set([...folds, ...folds.map(bareSpelling)])
    const found = [...keys].flatMap((key) =>
      this.#entriesOf(key, language).map((entry) => this.#fit(entry, text, language)),
    )
    const exact = found.filter(({ isExact }) => isExact)
    const rows = (exact.length > 0 ? exact : found)
      .sort((a, b) => a.order - b.order || a.row - b.row)
      .map(({ row }) => row)
    return [...new Set(rows)]
  }

  #entriesOf(key: string, language: string): number[] {
    const { firstEntry, endEntry } = this.#languages.get(language) ?? nothing
    const text = Buffer.from(key)
    const entries: number[] = []
    let entry = partitionPoint(firstEntry, endEntry, (at) => this.#compare(at, text) < 0)
    for (; entry < endEntry && this.#compare(entry, text) === 0; entry++) entries.push(entry)
    return entries
  }

  /** How well an entry fits a text. */
  #fit(entry: number, text: string, language: string) {
    const [spelled, asked] = [caseKey(this.spelling(entry), language), caseKey(text, language)]
    const order = (this.isHeadword(entry) ? 0 : 2) + (spelled === asked ? 0 : 1)
    return { row: this.row(entry), isExact: hyphensAsSpaces(spelled) === hyphensAsSpaces(asked), order }
  }

  row(entry: number): number {
    return this.#rows[entry]! % 2 ** rowBits
  }

  isHeadword(entry: number): boolean {
    return this.#rows[entry]! >= headwordBit
  }

  /** Whether the key lacks punctuation that the spelling has. */
  isBare(entry: number): boolean {
    return this.#rows[entry]! % headwordBit >= bareBit
  }

  /** The spelling as it is written. */
  spelling(entry: number): string {
    const [from, to] = [this.#shownAt[entry]!, this.#shownAt[entry + 1]!]
    if (from < to) return this.#shown.toString('utf8', from, to)
    return this.#keys.toString('utf8', this.#keyAt[entry], this.#keyAt[entry + 1])
  }

  #compare(entry: number, text: Buffer): number {
    return this.#keys.compare(text, 0, text.length, this.#keyAt[entry], this.#keyAt[entry + 1])
  }

  /** Compares only as many bytes of the key as the text has. */
  #comparePrefix(entry: number, text: Buffer): number {
    const from = this.#keyAt[entry]!
    const to = Math.min(this.#keyAt[entry + 1]!, from + text.length)
    return this.#keys.compare(text, 0, text.length, from, to)
  }
}
