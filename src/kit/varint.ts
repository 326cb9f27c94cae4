/**
 * Appends an integer ≥ 0 in 7-bit groups, the lowest first; the high bit says that more follow
 * (LEB128).
 */
export function pushVarint(bytes: number[], value: number): void {
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  bytes.push(value)
}

/**
 * The bytes of integers ≥ 0 as varints (LEB128), which `ByteReader` reads.
 *
 *     packVarints([1, 300]) // new Uint8Array([1, 0xac, 2])
 */
export function packVarints(values: Iterable<number>): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  for (const value of values) pushVarint(bytes, value)
  return new Uint8Array(bytes)
}
