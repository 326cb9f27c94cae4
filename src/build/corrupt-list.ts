/** A published file that a build builds on does not hold what its name says. */
export class CorruptList extends Error {
  override name = 'CorruptList'
}

export function corruptList(path: string): CorruptList {
  return new CorruptList(`"${path}" does not hold what its name says`)
}
