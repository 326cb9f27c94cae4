import { LRUCache } from 'lru-cache'
import { textHash } from '#kit/text-hash.ts'
import { SeenLately } from './seen-lately.ts'

/**
 * What was made for texts that are asked for again and again. Most texts come once, and cost little here: what was made for them is not kept, and the cache is
 * by their hash. By the texts themselves the engine would enter each of them in its table of all names, which grows until the whole heap is collected.
 */
export class AskedAgain<Value extends object> {
  readonly #seen = new SeenLately()
  readonly #kept: LRUCache<number, { text: string; value: Value }>

  /** `bound` is how much is kept: so many values, or so many bytes by a size of each. */
  constructor(
    bound: { max: number } | { maxSizeBytes: number; sizeBytes: (value: Value, text: string) => number },
  ) {
    this.#kept =
      'max' in bound
        ? new LRUCache({ max: bound.max })
        : new LRUCache({
            maxSize: bound.maxSizeBytes,
            sizeCalculation: ({ value, text }) => bound.sizeBytes(value, text),
          })
  }

  /** What is kept for the text. */
  get(text: string): Value | undefined {
    const kept = this.#kept.get(keyOf(text))
    return kept?.text === text ? kept.value : undefined
  }

  /** Whether the text was asked for before, so that what is made for it is worth keeping; from now on it was. */
  isWorthKeeping(text: string): boolean {
    return this.#seen.see(text)
  }

  keep(text: string, value: Value): void {
    this.#kept.set(keyOf(text), { text, value })
  }

  clear(): void {
    this.#kept.clear()
  }
}

/** The hash as a signed number: those the engine has without an object. */
function keyOf(text: string): number {
  return textHash(text) | 0
}
