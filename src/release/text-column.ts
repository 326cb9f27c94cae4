import { GrowingUint32Array } from '#kit/growing-array.ts'

/**
 * A column of texts in two sections of a table: `<name>At` holds where each begins and where the
 * last ends, `<name>` the texts end to end in UTF-8. They may be bytes as well.
 */

const chunkBytes = 1 << 20

export class TextColumnWriter {
  readonly #at = new GrowingUint32Array()
  /** The texts so far, and the chunk that is being filled: bytes are never moved. */
  readonly #chunks: Buffer[] = []
  #chunk = Buffer.alloc(0)
  #used = 0
  #sizeBytes = 0

  /** A column of these texts. */
  static of(texts: Iterable<string | Uint8Array> | TextColumnWriter): TextColumnWriter {
    if (texts instanceof TextColumnWriter) return texts
    const writer = new TextColumnWriter()
    for (const text of texts) writer.add(text)
    return writer
  }

  add(text: string | Uint8Array): void {
    this.#at.push(this.#sizeBytes)
    const mostBytes = typeof text === 'string' ? text.length * 3 : text.length
    if (mostBytes > this.#chunk.length - this.#used) this.#beginChunk(mostBytes)
    if (typeof text !== 'string') this.#chunk.set(text, this.#used)
    const written = typeof text === 'string' ? this.#chunk.write(text, this.#used) : text.length
    this.#used += written
    this.#sizeBytes += written
  }

  /** Where the texts begin and the last ends, and the texts in pieces. */
  finish(): { at: Uint32Array<ArrayBuffer>; pieces: Uint8Array[] } {
    this.#at.push(this.#sizeBytes)
    this.#beginChunk(0)
    return { at: this.#at.view(), pieces: this.#chunks }
  }

  #beginChunk(sizeBytes: number): void {
    if (this.#used > 0) this.#chunks.push(this.#chunk.subarray(0, this.#used))
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(sizeBytes, sizeBytes && chunkBytes))
    this.#used = 0
  }
}

/** The texts of a column of an opened table, by row. */
export class TextColumn {
  /** Where each text begins among the bytes, and where the last ends. */
  readonly at: Uint32Array
  readonly bytes: Buffer

  constructor(at: Uint32Array, bytes: Buffer) {
    this.at = at
    this.bytes = bytes
  }

  get count(): number {
    return this.at.length - 1
  }

  /** A text; or those of neighbouring rows, end to end. */
  text(row: number, end = row + 1): string {
    return this.bytes.toString('utf8', this.at[row], this.at[end])
  }

  texts(): string[] {
    return Array.from({ length: this.count }, (_, row) => this.text(row))
  }

  isEmpty(row: number): boolean {
    return this.at[row] === this.at[row + 1]
  }

  /** `length` characters of a text that are all ASCII, from the byte `from` of it on. */
  ascii(row: number, from: number, length: number): string {
    const at = this.at[row]! + from
    return this.bytes.toString('latin1', at, at + length)
  }

  /** Whether a text that is all ASCII has another one at the byte `from` of it. */
  hasAt(row: number, from: number, text: string): boolean {
    const at = this.at[row]! + from
    for (let i = 0; i < text.length; i++) if (this.bytes[at + i] !== text.charCodeAt(i)) return false
    return true
  }
}
