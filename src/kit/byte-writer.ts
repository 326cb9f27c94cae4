/** Up to this many bytes are copied one by one: a call into the engine costs 20 ns, as much as so many bytes. */
const notWorthACall = 40

const largestInt32 = 0x7fffffff

const [blank, quote, backslash, tilde] = [32, 34, 92, 126]

/** A growing piece of memory that bytes are appended to: tables are put together in it, and answers. */
export class ByteWriter {
  bytes: Buffer<ArrayBuffer>
  length = 0

  constructor(capacity = 4096) {
    this.bytes = Buffer.allocUnsafeSlow(capacity)
  }

  /** Begins anew, in the same memory. */
  clear(): void {
    this.length = 0
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
  copy(source: Buffer, from = 0, to = source.length): void {
    const count = to - from
    this.reserve(count)
    const { bytes, length } = this
    if (count <= notWorthACall) for (let i = 0; i < count; i++) bytes[length + i] = source[from + i]!
    else source.copy(bytes, length, from, to)
    this.length = length + count
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.length++] = value
  }

  text(text: string): void {
    this.reserve(text.length * 3)
    this.length += this.bytes.write(text, this.length, 'utf8')
  }

  /** A text as JSON: as `JSON.stringify` writes it, which takes ten times as long for a word. */
  json(text: string): void {
    this.reserve(text.length + 2)
    const { bytes } = this
    let at = this.length
    bytes[at++] = quote
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code < blank || code > tilde || code === quote || code === backslash)
        return this.text(JSON.stringify(text))
      bytes[at++] = code
    }
    bytes[at++] = quote
    this.length = at
  }

  /** A whole number ≥ 0 in decimal digits. */
  decimal(value: number): void {
    if (value > largestInt32) return this.text(String(value))
    let count = 1
    for (let bound = 10; value >= bound; bound *= 10) count++
    this.reserve(count)
    this.length += count
    for (let at = this.length - 1, rest = value; count > 0; count--, at--) {
      // `| 0` tells the engine that these are numbers of 32 bits: it divides by multiplying then.
      const tenth = (rest / 10) | 0
      this.bytes[at] = 48 + rest - tenth * 10
      rest = tenth
    }
  }

  /** A count of thousandths as a JSON number, as JavaScript writes it: 12, 0.5, 3.25. */
  thousandths(count: number): void {
    const whole = Math.floor(count / 1000)
    this.decimal(whole)
    let rest = count - whole * 1000
    if (rest === 0) return
    this.byte(46)
    for (; rest > 0; rest = (rest % 100) * 10) this.byte(48 + ((rest / 100) | 0))
  }

  /** A whole number ≥ 0 in 7-bit groups, the lowest first, the high bit telling that more follow (LEB128). */
  varint(value: number): void {
    for (; value > 127; value = Math.floor(value / 128)) this.byte((value % 128) | 128)
    this.byte(value)
  }

  /** A whole number of 32 bits, the lowest byte first. */
  u32(value: number): void {
    this.reserve(4)
    const { bytes, length } = this
    bytes[length] = value
    bytes[length + 1] = value >>> 8
    bytes[length + 2] = value >>> 16
    bytes[length + 3] = value >>> 24
    this.length = length + 4
  }

  /** Zeros up to a multiple of `size`. */
  align(size: number): void {
    while (this.length % size !== 0) this.byte(0)
  }

  /** What was written, without a copy: not to be used once more is appended. */
  view(): Buffer<ArrayBuffer> {
    return this.bytes.subarray(0, this.length)
  }

  /** What was written, as a text of one character a byte. */
  byteText(): string {
    return this.bytes.toString('latin1', 0, this.length)
  }
}
