import { levels } from '#contract/levels.ts'
import { partitionPoint } from '#kit/lower-bound.ts'

/** An item that is added to a word's list, or deleted from it. */
export interface ItemToPlace {
  sortKey: number
  /** `tieOf` the clip id. */
  tie: number
  clipId: string
  /** Of the level of the clip. */
  rank: number
  isNew: boolean
}

/**
 * Finds the places of items in the lists of words without reading these lists. Each item of the
 * lists is counted before the first item of the word that it precedes; the sums of these counts are
 * the places. Everything lies in flat arrays, because millions of items are counted.
 */
export class ItemPlaces {
  /** By word, its number here. */
  readonly #numbers: ReadonlyMap<number, number>
  /**
   * By number of the word and rank of the level: where its items of that level begin. Lists are
   * sorted by level first.
   */
  readonly #from: Uint32Array
  readonly #items: ItemToPlace[] = []
  readonly #sortKeys: Float64Array
  readonly #ties: Float64Array
  /**
   * How many items of the list come right before each item; one more entry for each word counts
   * those behind its last.
   */
  readonly #passed: Uint32Array

  constructor(itemsByWord: ReadonlyMap<number, ItemToPlace[]>) {
    this.#numbers = new Map([...itemsByWord.keys()].map((wordId, number) => [wordId, number]))
    this.#from = new Uint32Array(itemsByWord.size * levels.length + 1)
    for (const [number, items] of [...itemsByWord.values()].entries()) {
      items.sort(byPlace)
      for (const rank of levels.keys()) {
        for (const item of items) if (item.rank === rank) this.#items.push(item)
        this.#from[number * levels.length + rank + 1] = this.#items.length
      }
    }
    this.#sortKeys = Float64Array.from(this.#items, ({ sortKey }) => sortKey)
    this.#ties = Float64Array.from(this.#items, ({ tie }) => tie)
    this.#passed = new Uint32Array(this.#items.length + itemsByWord.size)
  }

  /** The number of a word here; −1 if it has no items to place. */
  numberOf(wordId: number): number {
    return this.#numbers.get(wordId) ?? -1
  }

  /** Counts an item of the list of a word. `rank` is that of the level of its clip. */
  count(number: number, rank: number, sortKey: number, tie: number, clipId: string): void {
    const range = number * levels.length + rank
    const isNotAfter = (i: number) => {
      if (this.#sortKeys[i] !== sortKey) return this.#sortKeys[i]! < sortKey
      if (this.#ties[i] !== tie) return this.#ties[i]! < tie
      return this.#items[i]!.clipId <= clipId
    }
    this.#passed[partitionPoint(this.#from[range]!, this.#from[range + 1]!, isNotAfter) + number]! += 1
  }

  /** The items of a word, in order, each with how many items of the list come before it. */
  *of(wordId: number): Generator<ItemToPlace & { place: number }> {
    const number = this.#numbers.get(wordId)!
    let place = 0
    const [from, to] = [this.#from[number * levels.length]!, this.#from[(number + 1) * levels.length]!]
    for (let i = from; i < to; i++) {
      place += this.#passed[i + number]!
      yield { ...this.#items[i]!, place }
    }
  }
}

function byPlace(a: ItemToPlace, b: ItemToPlace): number {
  return a.sortKey - b.sortKey || a.tie - b.tie || Number(a.clipId > b.clipId) - Number(a.clipId < b.clipId)
}
