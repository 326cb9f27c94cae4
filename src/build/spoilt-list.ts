const name = 'SpoiltList'

/** A published list of clips, which the next one was to be made from, is not what its name tells. */
export class SpoiltList extends Error {
  override name = name
  constructor(path: string) {
    super(`"${path}" is not what its name tells`)
  }
}

/** Whether it is one, from this thread or another: those come without their class. */
export function isSpoiltList(error: unknown): error is Error {
  return error instanceof Error && error.name === name
}
