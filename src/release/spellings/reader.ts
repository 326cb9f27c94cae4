import { partitionPoint } from '#kit/lower-bound.ts'
import { openTable, readLanguages } from '../table-file.ts'
import { languageNumbers, tableName } from './layout.ts'

/** The entries `from … to` have keys that begin with a text; those up to `exactEnd` equal it. */
export interface SpellingRange {
  from: number
  exactEnd: number
  to: number
}

/** The other spellings of words. Look-ups compare bytes and decode nothing. */
export class SpellingsTable {
  readonly #keyAt: Uint32Array
  readonly #keys: Buffer
  readonly #shownAt: Uint32Array
  readonly #shown: Buffer
  readonly #rows: Uint32Array
  readonly #shared: Uint8Array
  readonly #languages = new Map<string, { from: number; to: number }>()

  /** @throws {SyntaxError} when the bytes are no table of spellings of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, tableName, path)
    this.#keyAt = sections.u32('keyAt')
    this.#keys = sections.u8('keys')
    this.#shownAt = sections.u32('shownAt')
    this.#shown = sections.u8('shown')
    this.#rows = sections.u32('rows')
    this.#shared = sections.u8('shared')
    for (const { code, numbers, next } of readLanguages(sections, languageNumbers))
      this.#languages.set(code, { from: numbers[1]!, to: next?.[1] ?? this.#rows.length })
  }

  /** The entries whose key begins with a folded text (`spellingFold`). */
  find(folded: string, language: string): SpellingRange {
    const { from: first, to: end } = this.#languages.get(language) ?? { from: 0, to: 0 }
    const text = Buffer.from(folded)
    const from = partitionPoint(first, end, (at) => this.#compare(at, text) < 0)
    const to = partitionPoint(from, end, (at) => this.#comparePrefix(at, text) <= 0)
    const exactEnd = partitionPoint(from, to, (at) => this.#compare(at, text) === 0)
    return { from, exactEnd, to }
  }

  row(entry: number): number {
    return this.#rows[entry]!
  }

  /**
   * Whether the folded headword of the word is known to begin with the first `length` bytes of the
   * key. Of more than `maxShared` bytes, this is never known.
   */
  isShared(entry: number, length: number): boolean {
    return this.#shared[entry]! >= length
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
