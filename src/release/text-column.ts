import { GrowingUint32Array } from '#kit/growing-array.ts'
import type { Section, Sections } from './table-file.ts'

/**
 * A column of texts in two sections of a table: `<name>` holds them end to end in UTF-8, `<name>At`
 * where each begins and where the last ends.
 */

const chunkBytes = 1 << 20

export class TextColumnWriter {
  readonly #at = new GrowingUint32Array()
  /** The texts so far, and the chunk that is being filled: bytes are never moved. */
  readonly #chunks: Buffer[] = []
  #chunk = Buffer.alloc(0)
  #used = 0
  #sizeBytes = 0

  add(text: string): void {
    this.#at.push(this.#sizeBytes)
    if (text.length * 3 > this.#chunk.length - this.#used) this.#beginChunk(text.length * 3)
    const written = this.#chunk.write(text, this.#used, 'utf8')
    this.#used += written
    this.#sizeBytes += written
  }

  finish(name: string): Record<string, Section> {
    this.#at.push(this.#sizeBytes)
    this.#beginChunk(0)
    return { [`${name}At`]: this.#at.view(), [name]: this.#chunks }
  }

  #beginChunk(sizeBytes: number): void {
    if (this.#used > 0) this.#chunks.push(this.#chunk.subarray(0, this.#used))
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(sizeBytes, sizeBytes && chunkBytes))
    this.#used = 0
  }
}

/** The texts of a column of an opened table, by row. */
export class TextColumn {
  readonly #at: Uint32Array
  readonly #bytes: Buffer

  /** @throws {SyntaxError} the table has no such column */
  constructor(sections: Sections, name: string) {
    this.#at = sections.u32(`${name}At`)
    this.#bytes = sections.u8(name)
  }

  get count(): number {
    return this.#at.length - 1
  }

  text(row: number): string {
    return this.#bytes.toString('utf8', this.#at[row], this.#at[row + 1])
  }

  isEmpty(row: number): boolean {
    return this.#at[row] === this.#at[row + 1]
  }

  /** `length` characters of a text that are all ASCII, from the byte `from` of it on. */
  ascii(row: number, from: number, length: number): string {
    const at = this.#at[row]! + from
    return this.#bytes.toString('latin1', at, at + length)
  }

  /** Whether a text that is all ASCII has another one at the byte `from` of it. */
  hasAt(row: number, from: number, text: string): boolean {
    const at = this.#at[row]! + from
    for (let i = 0; i < text.length; i++) if (this.#bytes[at + i] !== text.charCodeAt(i)) return false
    return true
  }
}
