/** The bytes of a table, which its writer returns in pieces, in memory of their own. */
export function joinPieces(pieces: Iterable<Uint8Array>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([...pieces]))
}
