/** Joins the pieces of a table from its writer, in memory of their own. */
export function joinPieces(pieces: Iterable<Uint8Array>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([...pieces]))
}
