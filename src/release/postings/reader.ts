import { openTable, readLanguages } from '../table-file.ts'
import { languageNumbers, tableName, type Postings } from './layout.ts'

/** The words said in each clip of a release. Only builds open it. */
export class PostingsTable {
  /** By language the first row. */
  readonly #bases = new Map<string, number>()
  readonly #at: Uint32Array
  readonly #packed: Uint8Array

  /** @throws {SyntaxError} when the bytes are no table of postings of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, tableName, path)
    this.#at = sections.u32('at')
    this.#packed = sections.u8('packed')
    for (const { code, numbers } of readLanguages(sections, languageNumbers))
      this.#bases.set(code, numbers[1]!)
  }

  /** The postings of a clip, without a copy. */
  postings(language: string, ordinal: number): Postings {
    const base = this.#bases.get(language)
    if (base === undefined)
      throw new RangeError(`cannot read postings: the table has no clips in "${language}"`)
    const row = base + ordinal
    return this.#packed.subarray(this.#at[row], this.#at[row + 1])
  }
}
