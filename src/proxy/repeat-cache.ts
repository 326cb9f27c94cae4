import { LRUCache } from 'lru-cache'
import { textHash } from '#kit/text-hash.ts'
import { Doorkeeper } from './doorkeeper.ts'

/**
 * A bounded cache of values for texts that are requested repeatedly. Most texts come once; a
 * doorkeeper keeps them out.
 *
 * Entries are found by the hash of their text. A Map with the texts themselves as keys would enter
 * each one in V8's string table, which then grows until a full garbage collection.
 */
export class RepeatCache<Value extends object> {
  readonly #doorkeeper = new Doorkeeper()
  readonly #entries: LRUCache<number, { text: string; value: Value }>

  /** `bound` limits the number of values, or their bytes as `sizeBytes` counts them. */
  constructor(
    bound: { max: number } | { maxSizeBytes: number; sizeBytes: (value: Value, text: string) => number },
  ) {
    this.#entries =
      'max' in bound
        ? new LRUCache({ max: bound.max })
        : new LRUCache({
            maxSize: bound.maxSizeBytes,
            sizeCalculation: ({ value, text }) => bound.sizeBytes(value, text),
          })
  }

  get(text: string): Value | undefined {
    const entry = this.#entries.get(keyOf(text))
    return entry?.text === text ? entry.value : undefined
  }

  /**
   * Whether the text was requested recently, so that its value is worth caching. Notes this
   * request.
   */
  admits(text: string): boolean {
    return this.#doorkeeper.see(text)
  }

  set(text: string, value: Value): void {
    this.#entries.set(keyOf(text), { text, value })
  }

  clear(): void {
    this.#entries.clear()
  }
}

/** The hash as a signed 32-bit number: V8 stores those without an object. */
function keyOf(text: string): number {
  return textHash(text) | 0
}
