import type { KnownWords } from './known-words.ts'

/**
 * The lists that were read last. An app requests page after page with the same list, and reading a
 * list with many ids costs ten times as much as a page.
 *
 * When the cache is full, the key with the most lists loses its oldest one, so that one caller
 * cannot evict the lists of the others.
 */
export class KnownCache {
  readonly #max: number
  /** Keyed by key and by list, the latest use last. */
  readonly #listsByKey = new Map<string, Map<string, KnownWords>>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  has(key: string, list: string): boolean {
    return this.#listsByKey.get(key)?.has(list) ?? false
  }

  get(key: string, list: string): KnownWords | undefined {
    const lists = this.#listsByKey.get(key)
    const words = lists?.get(list)
    if (words) {
      lists!.delete(list)
      lists!.set(list, words)
    }
    return words
  }

  set(key: string, list: string, words: KnownWords): void {
    const lists = this.#listsByKey.getOrInsertComputed(key, () => new Map())
    if (!lists.has(list)) this.#size++
    lists.set(list, words)
    if (this.#size > this.#max) this.#evict()
  }

  #evict(): void {
    let [largestKey, largest] = ['', new Map<string, KnownWords>()]
    for (const [key, lists] of this.#listsByKey)
      if (lists.size > largest.size) [largestKey, largest] = [key, lists]
    largest.delete(largest.keys().next().value!)
    if (largest.size === 0) this.#listsByKey.delete(largestKey)
    this.#size--
  }
}
