import { textHash } from '#kit/text-hash.ts'

const slotCount = 4096

/**
 * Tells whether a text was seen recently, so that a cache need not admit what comes only once (a
 * "doorkeeper": Einziger, Friedman and Manes, "TinyLFU", 2017). It forgets: each text has one slot
 * in a small table, and loses it to the next text of that slot.
 */
export class Doorkeeper {
  readonly #hashes = new Uint32Array(slotCount)

  /**
   * Whether the text was seen recently; from now on it was. A false yes costs a place in a cache,
   * no more.
   */
  see(text: string): boolean {
    const hash = textHash(text)
    const slot = hash % slotCount
    const isSeen = this.#hashes[slot] === hash
    this.#hashes[slot] = hash
    return isSeen
  }
}
