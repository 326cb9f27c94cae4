/** Appends an integer ≥ 0 in 7-bit groups, lowest first; a high bit means more follow (LEB128). */
export function pushVarint(bytes: number[], value: number): void {
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  bytes.push(value)
}

/**
 * Encodes integers ≥ 0 as varints (LEB128), which `ByteReader` reads.
 *
 *     packVarints([1, 300]) // new Uint8Array([1, 0xac, 2])
 */
export function packVarints(values: Iterable<number>): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  for (const value of values) pushVarint(bytes, value)
  return new Uint8Array(bytes)
}

/** Reads varints, one after another. */
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
      throw new RangeError(`cannot read a number: the data (${bytes.length} bytes) ends in the middle of it`)
    return value
  }
}
