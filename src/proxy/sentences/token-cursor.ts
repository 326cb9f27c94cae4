import { placeOf, type PostingList } from '#release/sentences/posting-list.ts'

/** Goes through the lists of the forms of one token of a query. */
export class TokenCursor {
  readonly lists: readonly PostingList[]
  /** How many tokens of the query come before this one. */
  readonly offset: number
  /** How many positions all lists have. */
  readonly total: number
  /** By list, the place before which nothing is searched any more. */
  readonly #places: number[]

  constructor(lists: readonly PostingList[], offset: number) {
    this.lists = lists
    this.offset = offset
    this.total = lists.reduce((sum, list) => sum + list.length, 0)
    // No run begins before the position 0.
    this.#places = lists.map((list) => placeOf(offset, list, 0))
  }

  /** Where the next run that this token is part of would begin; Infinity if there is none. */
  get next(): number {
    let next = Infinity
    for (let i = 0; i < this.lists.length; i++) {
      const position = this.lists[i]![this.#places[i]!]
      if (position !== undefined && position < next) next = position
    }
    return next - this.offset
  }

  /** The places `from … to` of a list whose runs begin at `start … start + size`. Moves on. */
  range(i: number, start: number, size: number): { from: number; to: number } {
    const list = this.lists[i]!
    const from = placeOf(start + this.offset, list, this.#places[i]!)
    const to = placeOf(start + this.offset + size, list, from)
    this.#places[i] = to
    return { from, to }
  }

  /**
   * Whether the token is part of a run that begins here. The starts that are asked for ascend, in
   * steps of about `step` places of a list.
   */
  has(start: number, step: number): boolean {
    const position = start + this.offset
    for (let i = 0; i < this.lists.length; i++) {
      const list = this.lists[i]!
      const place = placeOf(position, list, this.#places[i]!, step)
      this.#places[i] = place
      if (list[place] === position) return true
    }
    return false
  }
}
