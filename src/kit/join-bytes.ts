/**
 * Copies pieces end to end into memory of their own, aligned for any typed array.
 *
 *     joinBytes([new Uint8Array([1]), new Uint8Array([2, 3])]) // new Uint8Array([1, 2, 3])
 */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
