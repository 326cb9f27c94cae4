/** Bytes shorter than this are copied one by one: a call into the engine costs more (measured: 30 ns a call). */
const worthACall = 48

/** A growing piece of memory that bytes are appended to: pages of JSON and tables are put together from pieces that are bytes already. */
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

  /** A whole number ≥ 0 in decimal digits. */
  digits(value: number): void {
    this.reserve(16)
    let count = 1
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) count++
    for (let at = this.length + count - 1, rest = value; at >= this.length; at--) {
      const next = Math.floor(rest / 10)
      this.bytes[at] = 48 + rest - next * 10
      rest = next
    }
    this.length += count
  }

  /** Milliseconds as seconds, as JSON writes them: without needless zeros. */
  seconds(ms: number): void {
    this.digits(Math.floor(ms / 1000))
    let rest = ms % 1000
    if (rest === 0) return
    this.byte(46)
    for (let unit = 100; rest > 0; unit /= 10) {
      const digit = Math.floor(rest / unit)
      this.byte(48 + digit)
      rest -= digit * unit
    }
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

  /** A copy of what was written. */
  take(): Buffer {
    return Buffer.from(this.view())
  }
}
