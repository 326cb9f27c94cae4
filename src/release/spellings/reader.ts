import { partitionPoint } from '#kit/lower-bound.ts'
import { caseKey } from '#language/lower-case.ts'
import { bareSpelling, hyphensAsSpaces, spellingFolds } from '#language/folds.ts'
import { openTable, type Opened, type TableBytes } from '../table-file.ts'
import { columns, diskColumns, isBare, isHeadword, tableName, type SpelledLanguage } from './layout.ts'

interface Language extends SpelledLanguage {
  /** One character for each byte, because a string can be searched faster than a buffer. */
  headwords: string
}

const nothing: Language = { first: 0, end: 0, firstEntry: 0, endEntry: 0, headwords: '' }

/** Headwords by row, for searching inside them, and all spellings by folded text, for look-ups. */
export class SpellingsTable {
  static readonly diskColumns = diskColumns
  readonly #columns: Opened<typeof columns>
  readonly #languages = new Map<string, Language>()

  /** @throws {SyntaxError} the bytes are not a table of spellings of this version */
  constructor(bytes: TableBytes, path: string) {
    this.#columns = openTable(tableName, columns, bytes, path)
    const { headwords, languages } = this.#columns
    for (const [code, range] of Object.entries(languages as Record<string, SpelledLanguage>)) {
      this.#languages.set(code, { ...range, headwords: headwords.byteText(range.first, range.end) })
    }
  }

  /**
   * Calls `onWord` for every word of a language whose folded headword contains a folded text: with
   * its row, and whether the text equals it or is a prefix.
   */
  eachHolding(
    foldedText: string,
    language: string,
    onWord: (row: number, isAll: boolean, isBeginning: boolean) => void,
  ): void {
    const { first, end, headwords } = this.#languages.get(language) ?? nothing
    const start = (row: number) => this.#columns.headwords.position(row)
    const firstStart = start(first)
    const keyBytes = Buffer.from(foldedText).toString('latin1')
    for (let row = first; row < end; row++) {
      const at = headwords.indexOf(keyBytes, start(row) - firstStart) + firstStart
      if (at < start(row)) return
      while (start(row + 1) <= at) row++
      const isBeginning = at === start(row)
      onWord(row, isBeginning && at + keyBytes.length + 1 === start(row + 1), isBeginning)
    }
  }

  /**
   * Finds the entries of a language with a folded text: those in `from … to` start with it, and
   * those before `exactEnd` equal it.
   */
  find(foldedText: string, language: string) {
    const text = Buffer.from(foldedText)
    const { from, exactEnd, endEntry } = this.#findExact(text, language)
    const to = partitionPoint(exactEnd, endEntry, (at) => this.#compare(at, text, text.length) <= 0)
    return { from, exactEnd, to }
  }

  /**
   * Returns the entries whose key equals the text. They are few, so the end is found step by step.
   */
  #findExact(text: Buffer, language: string) {
    const { firstEntry, endEntry } = this.#languages.get(language) ?? nothing
    const from = partitionPoint(firstEntry, endEntry, (at) => this.#compare(at, text) < 0)
    let exactEnd = from
    while (exactEnd < endEntry && this.#compare(exactEnd, text) === 0) exactEnd++
    return { from, exactEnd, endEntry }
  }

  /**
   * Returns the rows of the words with this spelling, best first (contract 1.5): those with exactly
   * this spelling, ignoring the difference between hyphen and space, or else those with this
   * spelling after folding. Headwords come before other spellings, those with the same hyphens
   * before others, then by row.
   */
  wordsSpelled(text: string, language: string): number[] {
    const folds = spellingFolds(text, language)
    const keys = new Set([...folds, ...folds.map(bareSpelling)])
    const entries = [...keys].flatMap((key) => {
      const { from, exactEnd } = this.#findExact(Buffer.from(key), language)
      return Array.from({ length: exactEnd - from }, (_, i) => this.#fit(from + i, text, language))
    })
    const exact = entries.filter(({ isExact }) => isExact)
    const rows = (exact.length > 0 ? exact : entries)
      .sort((a, b) => a.order - b.order || a.row - b.row)
      .map(({ row }) => row)
    return [...new Set(rows)]
  }

  #fit(entry: number, text: string, language: string) {
    const [spellingKey, queryKey] = [caseKey(this.spelling(entry), language), caseKey(text, language)]
    const order = (this.isHeadword(entry) ? 0 : 2) + (spellingKey === queryKey ? 0 : 1)
    const isExact = hyphensAsSpaces(spellingKey) === hyphensAsSpaces(queryKey)
    return { row: this.row(entry), isExact, order }
  }

  row(entry: number): number {
    return this.#columns.rows[entry]!
  }

  isHeadword(entry: number): boolean {
    return (this.#columns.flags[entry]! & isHeadword) !== 0
  }

  /** Whether the key lacks punctuation that the spelling has. */
  isBare(entry: number): boolean {
    return (this.#columns.flags[entry]! & isBare) !== 0
  }

  /** Returns the spelling as it is written. */
  spelling(entry: number): string {
    const { shown: spellings, keys } = this.#columns
    return spellings.isEmpty(entry) ? keys.text(entry) : spellings.text(entry)
  }

  /** Compares the first `longest` bytes of a key with a text. */
  #compare(entry: number, text: Buffer, longest?: number): number {
    return this.#columns.keys.compare(entry, text, longest)
  }
}
