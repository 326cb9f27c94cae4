import { levels } from '#contract/levels.ts'
import { IdNumbers } from '#kit/id-numbers.ts'

/**
 * An item of a word's list that is looked for in the list of the release before: one that comes, or
 * one that goes.
 */
export interface SoughtItem {
  hardness: number
  /** `tieOf` the clip id. */
  tie: number
  clipId: string
  /** Of the level of the clip. */
  rank: number
  isNew: boolean
}

/**
 * The items that are sought in the lists of some words, sorted as their lists are. Every item of
 * the lists is shown to them, and they count between which of them it stands: so their places are
 * found without the lists. All lie in flat arrays, for millions are shown.
 */
export class SoughtItems {
  readonly #numbers: IdNumbers
  /**
   * By number of the word and rank of the level: where the items of such clips begin, for lists are
   * sorted by level first.
   */
  readonly #from: Uint32Array
  readonly #items: SoughtItem[] = []
  readonly #hardness: Float64Array
  readonly #ties: Float64Array
  /**
   * How many items stand right before each; of every word there is one more, for those behind its
   * last.
   */
  readonly #passed: Uint32Array

  constructor(itemsByWord: ReadonlyMap<number, SoughtItem[]>) {
    this.#numbers = new IdNumbers([...itemsByWord.keys()])
    this.#from = new Uint32Array(itemsByWord.size * levels.length + 1)
    for (const [number, items] of [...itemsByWord.values()].entries()) {
      items.sort(byPlace)
      for (const rank of levels.keys()) {
        for (const item of items) if (item.rank === rank) this.#items.push(item)
        this.#from[number * levels.length + rank + 1] = this.#items.length
      }
    }
    this.#hardness = Float64Array.from(this.#items, ({ hardness }) => hardness)
    this.#ties = Float64Array.from(this.#items, ({ tie }) => tie)
    this.#passed = new Uint32Array(this.#items.length + itemsByWord.size)
  }

  /** The number of a word here; −1 where none of its items is sought. */
  numberOf(wordId: number): number {
    return this.#numbers.find(wordId)
  }

  /**
   * Shows an item of the list of a word, by its number, and the rank of the level of its clip: the
   * item stands before the first that is sought and comes behind it.
   */
  show(number: number, rank: number, hardness: number, tie: number, clipId: string): void {
    const range = number * levels.length + rank
    let [low, high] = [this.#from[range]!, this.#from[range + 1]!]
    while (low < high) {
      const middle = (low + high) >> 1
      const isBehind =
        this.#hardness[middle] === hardness
          ? this.#ties[middle] === tie
            ? this.#items[middle]!.clipId > clipId
            : this.#ties[middle]! > tie
          : this.#hardness[middle]! > hardness
      if (isBehind) high = middle
      else low = middle + 1
    }
    this.#passed[low + number]! += 1
  }

  /**
   * The items of a word that are sought, in their order, each with how many items of the list stand
   * before it.
   */
  *places(wordId: number): Generator<SoughtItem & { place: number }> {
    const number = this.#numbers.find(wordId)
    let place = 0
    const [from, to] = [this.#from[number * levels.length]!, this.#from[(number + 1) * levels.length]!]
    for (let i = from; i < to; i++) {
      place += this.#passed[i + number]!
      yield { ...this.#items[i]!, place }
    }
  }
}

function byPlace(a: SoughtItem, b: SoughtItem): number {
  return a.hardness - b.hardness || a.tie - b.tie || Number(a.clipId > b.clipId) - Number(a.clipId < b.clipId)
}
