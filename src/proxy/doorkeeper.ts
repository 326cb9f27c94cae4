import { textHash } from '#kit/text-hash.ts'

const slotCount = 4096

/**
 * Remembers which texts were seen recently, so that a cache need not admit those that come once (a
 * "doorkeeper": Einziger, Friedman and Manes, "TinyLFU", 2017). Each text has one slot in a small
 * table and loses it to the next text of that slot.
 */
export class Doorkeeper {
  readonly #hashes = new Uint32Array(slotCount)

  /**
   * Whether the text was seen recently. Notes that it is seen now. A false yes only costs a place
   * in a cache.
   */
  see(text: string): boolean {
    const hash = textHash(text)
    const slot = hash % slotCount
    const isSeen = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return isSeen
  }
}
