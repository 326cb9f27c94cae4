/** Ids are dense enough for an array if it has at most this many places for each. */
const placesAnId = 16

/**
 * Finds the place of an id in a list of ids, which are whole numbers ≥ 0. Made for millions of
 * look-ups: an array if the ids lie close together, as in most catalogues, else a map.
 *
 *     new IdNumbers([12, 40, 7]).find(40) // 1
 */
export class IdNumbers {
  readonly #dense: Int32Array
  readonly #sparse = new Map<number, number>()

  constructor(ids: readonly number[]) {
    const places = ids.reduce((most, id) => Math.max(most, id + 1), 0)
    const isDense = places <= ids.length * placesAnId
    this.#dense = new Int32Array(isDense ? places : 0).fill(-1)
    for (const [number, id] of ids.entries()) {
      if (isDense) this.#dense[id] = number
      else this.#sparse.set(id, number)
    }
  }

  /** −1 if the list lacks the id. */
  find(id: number): number {
    return id < this.#dense.length ? this.#dense[id]! : (this.#sparse.get(id) ?? -1)
  }
}
