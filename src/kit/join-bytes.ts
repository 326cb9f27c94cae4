/**
 * Copies pieces end to end into memory of their own, aligned for any typed array.
 *
 *     joinBytes([new Uint8Array([1]), new Uint8Array([2, 3])]) // new Uint8Array([1, 2, 3])
 */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0)
  // Every byte is overwritten, so the memory need not be zeroed first.
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(sizeBytes).buffer)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
