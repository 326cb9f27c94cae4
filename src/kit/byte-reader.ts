/** Reads what a `ByteWriter` wrote, piece by piece. */
export class ByteReader<Bytes extends Uint8Array = Uint8Array> {
  readonly bytes: Bytes
  at = 0

  constructor(bytes: Bytes) {
    this.bytes = bytes
  }

  byte(): number {
    return this.bytes[this.at++]!
  }

  /** A whole number of 32 bits, the lowest byte first. */
  u32(): number {
    const { bytes, at } = this
    this.at = at + 4
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  }

  varint(): number {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = this.byte()
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }
}
