/** A growing piece of memory that bytes are appended to: tables are put together in it. */
export class ByteWriter {
  bytes: Buffer<ArrayBuffer>
  length = 0

  constructor(capacity = 4096) {
    this.bytes = Buffer.allocUnsafeSlow(capacity)
  }

  /** Makes room for so many bytes more. */
  reserve(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2))
    this.bytes.copy(grown, 0, 0, this.length)
    this.bytes = grown
  }

  /** Appends `source[from … to)`: 25 ns and what the bytes take; those that are no Buffer take a view more. */
  copy(source: Uint8Array, from = 0, to = source.length): void {
    this.reserve(to - from)
    if (Buffer.isBuffer(source)) source.copy(this.bytes, this.length, from, to)
    else this.bytes.set(source.subarray(from, to), this.length)
    this.length += to - from
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  text(text: string): void {
    this.reserve(text.length * 3)
    this.length += this.bytes.write(text, this.length, 'utf8')
  }

  /** A whole number ≥ 0 in 7-bit groups, the lowest first, the high bit telling that more follow (LEB128). */
  varint(value: number): void {
    for (; value > 127; value = Math.floor(value / 128)) this.byte((value % 128) | 128)
    this.byte(value)
  }

  /** Zeros up to a multiple of `size`. */
  align(size: number): void {
    while (this.length % size !== 0) this.byte(0)
  }

  /** What was written, without a copy: not to be used once more is appended. */
  view(): Buffer<ArrayBuffer> {
    return this.bytes.subarray(0, this.length)
  }
}
