/** Fewer bytes than this are copied one by one: a view and a call into the engine cost more. */
const worthACall = 160

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

  /** Appends `source[from … to)`. */
  copy(source: Uint8Array, from = 0, to = source.length): void {
    const count = to - from
    this.reserve(count)
    const { bytes, length } = this
    if (count < worthACall) for (let i = 0; i < count; i++) bytes[length + i] = source[from + i]!
    else bytes.set(source.subarray(from, to), length)
    this.length += count
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
