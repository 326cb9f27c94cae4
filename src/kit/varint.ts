/**
 * Appends an integer ≥ 0 in 7-bit groups, the lowest first; the high bit says that more follow
 * (LEB128). `ByteReader` reads it. Returns the bytes.
 *
 *     pushVarint([7], 300) // [7, 0xac, 2]
 */
export function pushVarint(bytes: number[], value: number): number[] {
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
  bytes.push(value)
  return bytes
}
