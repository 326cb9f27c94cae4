import { textHash } from './text-hash.ts'

/**
 * A map by text, for texts that are looked up once and discarded, such as pieces cut out of longer
 * ones. The engine's own Map copies every such text before it looks it up, which takes 600 ns; this
 * takes 100 ns. Each value holds its text. The map is cleared when it is full.
 */
export class TextMap<Value extends { readonly text: string }> {
  readonly #mask: number
  readonly #limit: number
  readonly #values: (Value | undefined)[]
  #size = 0

  /** `capacity` is the largest number of texts, a power of two. */
  constructor(capacity: number) {
    this.#limit = capacity
    this.#mask = capacity * 2 - 1
    this.#values = Array<Value | undefined>(capacity * 2).fill(undefined)
  }

  get(text: string): Value | undefined {
    return this.#values[this.#slotOf(text)]
  }

  set(value: Value): void {
    if (this.#size === this.#limit) this.#forget()
    const slot = this.#slotOf(value.text)
    if (this.#values[slot] === undefined) this.#size++
    this.#values[slot] = value
  }

  /**
   * The slot of the text, or the free one where it belongs. At most half of the slots are taken.
   */
  #slotOf(text: string): number {
    let slot = textHash(text) & this.#mask
    for (
      let value = this.#values[slot];
      value !== undefined && value.text !== text;
      value = this.#values[slot]
    )
      slot = (slot + 1) & this.#mask
    return slot
  }

  #forget(): void {
    this.#values.fill(undefined)
    this.#size = 0
  }
}
