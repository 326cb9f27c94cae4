/**
 * A published list of clips, which the next one was to be made from, does not hold what its name
 * says.
 */
export class CorruptList extends Error {
  override name = 'CorruptList'
}

export function corruptList(path: string): CorruptList {
  return new CorruptList(`"${path}" does not hold what its name says`)
}
