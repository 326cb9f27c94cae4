/**
 * Reads bytes piece by piece.
 *
 *     const reader = new ByteReader(bytes)
 *     reader.varint()
 */
export class ByteReader {
  readonly bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Reads an integer in 7-bit groups (LEB128). @throws {RangeError} the bytes end within it */
  varint(): number {
    const { bytes } = this
    let byte = bytes[this.at++]
    let value = byte! & 127
    for (let unit = 128; byte! >= 128; unit *= 128) {
      byte = bytes[this.at++]
      value += (byte! & 127) * unit
    }
    if (byte === undefined)
      throw new RangeError(`cannot read a number: the ${bytes.length} bytes end within it`)
    return value
  }
}
