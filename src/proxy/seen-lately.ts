import { textHash } from '#kit/text-hash.ts'

const places = 4096

/**
 * Tells whether a text was asked for lately: what comes once is then not kept, neither for nothing nor in the place of what comes again (a "doorkeeper";
 * Einziger, Friedman, Manes, "TinyLFU", 2017). It forgets: each text has one place in a small table, and gives it up to the next.
 */
export class SeenLately {
  readonly #hashes = new Uint32Array(places)

  /** Whether the text was seen; from now on it is. A false yes costs a place in a cache, no more. */
  see(text: string): boolean {
    const hash = textHash(text)
    const place = hash % places
    const isSeen = this.#hashes[place] === hash
    this.#hashes[place] = hash
    return isSeen
  }
}
