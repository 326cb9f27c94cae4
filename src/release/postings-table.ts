import { GrowingUint32Array } from '#kit/growing-array.ts'
import { codeNumber, codeOfNumber, openTable, writeTable } from './table-file.ts'

/** The table of the words said in each clip, for the next build: written and opened (FORMAT.md, "postings.bin"). */

/** Numbers that a word said in a clip takes: wordId, how often, where first in milliseconds. */
export const postingWords = 3

/** Puts the table together clip by clip. */
export class PostingsTableWriter {
  readonly #clips: { language: string; ordinal: number }[] = []
  readonly #starts = new GrowingUint32Array()
  readonly #words = new GrowingUint32Array()

  /** Adds a clip with the words said in it, `postingWords` numbers each. */
  add(language: string, ordinal: number, words: Uint32Array): void {
    this.#clips.push({ language, ordinal })
    this.#starts.push(this.#words.length)
    for (const number of words) this.#words.push(number)
  }

  /** The words of a clip, clips counted as they were added: a view. */
  words(added: number): Uint32Array {
    const end = added + 1 < this.#clips.length ? this.#starts.at(added + 1) : this.#words.length
    return this.#words.view().subarray(this.#starts.at(added), end)
  }

  /** The pieces of the file. `ordinals` tells by language how many were ever given. */
  finish(ordinals: Readonly<Record<string, number>>): Uint8Array[] {
    const bases = new Map<string, number>()
    const languages: number[] = []
    let rowCount = 0
    for (const code of Object.keys(ordinals).sort()) {
      bases.set(code, rowCount)
      languages.push(codeNumber(code), rowCount)
      rowCount += ordinals[code]!
    }
    const addedAt = new Int32Array(rowCount).fill(-1)
    for (const [added, { language, ordinal }] of this.#clips.entries())
      addedAt[bases.get(language)! + ordinal] = added
    const at = new Uint32Array(rowCount + 1)
    const words = new Uint32Array(this.#words.length)
    let length = 0
    for (const [row, added] of addedAt.entries()) {
      at[row] = length
      if (added < 0) continue
      const said = this.words(added)
      words.set(said, length)
      length += said.length
    }
    at[rowCount] = length
    return writeTable('postings', { languages: Uint32Array.from(languages), at, words })
  }
}

/** The words said in each clip of a release. */
export class PostingsTable {
  readonly #bases = new Map<string, number>()
  readonly #at: Uint32Array
  readonly #words: Uint32Array

  /** @throws {SyntaxError} when the bytes are no table of postings of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'postings', path)
    this.#at = sections.u32('at')
    this.#words = sections.u32('words')
    const languages = sections.u32('languages')
    for (let i = 0; i < languages.length; i += 2)
      this.#bases.set(codeOfNumber(languages[i]!), languages[i + 1]!)
  }

  /** The words said in a clip, `postingWords` numbers each: a view. */
  words(language: string, ordinal: number): Uint32Array {
    const row = this.#bases.get(language)! + ordinal
    return this.#words.subarray(this.#at[row], this.#at[row + 1])
  }
}
