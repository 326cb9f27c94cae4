import { codeOfNumber, openTable } from '../table-file.ts'
import { numbersALanguage, tableName } from './layout.ts'

/** Entries `from … to`, whose keys begin with a text; those up to `exactEnd` are the text. */
export interface SpellingRange {
  from: number
  exactEnd: number
  to: number
}

/** The other spellings of words, opened: bytes are compared, nothing is made. */
export class SpellingsTable {
  readonly #keyAt: Uint32Array
  readonly #keys: Buffer
  readonly #shownAt: Uint32Array
  readonly #shown: Buffer
  readonly #rows: Uint32Array
  readonly #languages = new Map<string, { from: number; to: number }>()

  /** @throws {SyntaxError} when the bytes are no table of spellings of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, tableName, path)
    this.#keyAt = sections.u32('keyAt')
    this.#keys = bufferOf(sections.u8('keys'))
    this.#shownAt = sections.u32('shownAt')
    this.#shown = bufferOf(sections.u8('shown'))
    this.#rows = sections.u32('rows')
    const languages = sections.u32('languages')
    for (let i = 0; i < languages.length; i += numbersALanguage) {
      const to = languages[i + numbersALanguage + 1] ?? this.#rows.length
      this.#languages.set(codeOfNumber(languages[i]!), { from: languages[i + 1]!, to })
    }
  }

  /** The entries whose key begins with a folded text (`spellingFold`). */
  find(folded: string, language: string): SpellingRange {
    const { from: first, to: end } = this.#languages.get(language) ?? { from: 0, to: 0 }
    const text = Buffer.from(folded)
    const from = this.#bound(first, end, (at) => this.#compare(at, text) < 0)
    const to = this.#bound(from, end, (at) => this.#comparePrefix(at, text) <= 0)
    const exactEnd = this.#bound(from, to, (at) => this.#compare(at, text) === 0)
    return { from, exactEnd, to }
  }

  row(entry: number): number {
    return this.#rows[entry]!
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

  /** As `#compare`, of as many bytes of the key as the text has. */
  #comparePrefix(entry: number, text: Buffer): number {
    const from = this.#keyAt[entry]!
    const to = Math.min(this.#keyAt[entry + 1]!, from + text.length)
    return this.#keys.compare(text, 0, text.length, from, to)
  }

  /**
   * The first place from `from` to `to` for which `isBefore` does not hold, as it does for all
   * before it.
   */
  #bound(from: number, to: number, isBefore: (at: number) => boolean): number {
    let [low, high] = [from, to]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(middle)) low = middle + 1
      else high = middle
    }
    return low
  }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
