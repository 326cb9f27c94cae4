/**
 * A column of texts in two sections of a table: `<name>At` holds where each begins and where the
 * last ends, `<name>` the texts end to end in UTF-8. They may be bytes as well.
 */

export class TextColumnWriter {
  readonly #at: number[] = []
  #bytes = Buffer.allocUnsafeSlow(1024)
  #sizeBytes = 0

  constructor(texts: Iterable<string | Uint8Array> = []) {
    for (const text of texts) this.add(text)
  }

  add(text: string | Uint8Array): void {
    this.#at.push(this.#sizeBytes)
    // In UTF-8 a UTF-16 unit takes three bytes at most.
    const neededBytes = this.#sizeBytes + 3 * text.length
    if (neededBytes > this.#bytes.length) {
      const largerBuffer = Buffer.allocUnsafeSlow(2 * neededBytes)
      this.#bytes.copy(largerBuffer, 0, 0, this.#sizeBytes)
      this.#bytes = largerBuffer
    }
    if (typeof text !== 'string') this.#bytes.set(text, this.#sizeBytes)
    const byteLength = typeof text === 'string' ? this.#bytes.write(text, this.#sizeBytes) : text.length
    this.#sizeBytes += byteLength
  }

  /** Where the texts begin and the last ends, and the texts. */
  finish(): { at: Uint32Array; bytes: Buffer } {
    this.#at.push(this.#sizeBytes)
    return { at: Uint32Array.from(this.#at), bytes: this.#bytes.subarray(0, this.#sizeBytes) }
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

  text(row: number): string {
    return this.bytes.toString('utf8', this.at[row], this.at[row + 1])
  }

  /** A text as a byte text; or those of neighbouring rows, end to end. */
  byteText(row: number, end = row + 1): string {
    return this.bytes.toString('latin1', this.at[row], this.at[end])
  }

  isEmpty(row: number): boolean {
    return this.at[row] === this.at[row + 1]
  }

  /** `length` characters of a text that are all ASCII, from the byte `from` of it on. */
  ascii(row: number, from: number, length: number): string {
    const at = this.at[row]! + from
    return this.bytes.toString('latin1', at, at + length)
  }
}
