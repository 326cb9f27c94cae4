import { sha256ByteText } from '#kit/digest.ts'
import { numberHash } from '#kit/text-hash.ts'

const rounds = 8
/** The size of the largest domain that is shuffled in an array. */
const smallDomain = 64

/**
 * A shuffle: a permutation of the ordinals 0 … domain − 1, fixed by language and seed.
 *
 * A domain of up to `smallDomain` gets a Fisher-Yates shuffle, because a network of rounds gives
 * small domains some orders more often than others.
 *
 * Above, a generalised Feistel network over a × b ≥ domain (Black and Rogaway, "Ciphers with
 * Arbitrary Finite Domains", 2002), with cycle walking if a × b is larger. Any position is computed
 * by itself, in constant time and without memory, so a page costs what its items cost. a and b are
 * about √domain, so that a × b exceeds the domain by less than a, and a walk seldom takes a second
 * step. Where a and b are odd and a × b is the domain, the orders are the even permutations, half
 * of all: nobody can tell from the position of any one clip or pair.
 */
export class Order {
  readonly domain: number
  /** The ordinals by position in a small domain; otherwise null. */
  readonly #ordinals: number[] | null
  readonly #rows: number
  readonly #columns: number
  readonly #keys: number[] = []

  constructor(language: string, seed: string, domain: number) {
    this.domain = domain
    this.#rows = Math.max(1, Math.ceil(Math.sqrt(domain)))
    this.#columns = Math.max(1, Math.ceil(domain / this.#rows))
    this.#ordinals = domain <= smallDomain ? shuffledOrdinals(language, seed, domain) : null
    if (this.#ordinals) return
    const digest = sha256ByteText(`feed order 1\0${language}\0${seed}`)
    for (let i = 0; i < rounds; i++) this.#keys.push(wordAt(digest, i * 4))
  }

  /** Returns the ordinal at a position, 0 ≤ position < domain. */
  at(position: number): number {
    if (this.#ordinals) return this.#ordinals[position]!
    let value = this.#permute(position)
    while (value >= this.domain) value = this.#permute(value)
    return value
  }

  #permute(value: number): number {
    let row = Math.floor(value / this.#columns)
    let column = value - row * this.#columns
    for (let round = 0; round < rounds; round += 2) {
      row = addMixed(row, column, this.#keys[round]!, this.#rows)
      column = addMixed(column, row, this.#keys[round + 1]!, this.#columns)
    }
    return row * this.#columns + column
  }
}

/** Shuffles a small domain (Durstenfeld, 1964) with random words from SHA-256 in counter mode. */
function shuffledOrdinals(language: string, seed: string, domain: number): number[] {
  const ordinals = Array.from({ length: domain }, (_, i) => i)
  const words = randomWords(`feed order 2\0${language}\0${seed}`)
  for (let last = domain - 1; last > 0; last--) {
    const count = last + 1
    // Words above the last multiple of `count` would make small numbers more likely.
    const limit = 2 ** 32 - (2 ** 32 % count)
    let word: number
    do word = words.next().value
    while (word >= limit)
    const other = word % count
    ;[ordinals[last], ordinals[other]] = [ordinals[other]!, ordinals[last]!]
  }
  return ordinals
}

/** Yields the 32-bit words of the digests of a text and a counter, endlessly. */
function* randomWords(text: string): Generator<number, never> {
  for (let counter = 0; ; counter++) {
    const digest = sha256ByteText(`${text}\0${counter}`)
    for (let at = 0; at < digest.length; at += 4) yield wordAt(digest, at) >>> 0
  }
}

/** Adds the mixed other half to one half of a value, modulo `bound`. */
function addMixed(half: number, other: number, key: number, exclusiveMax: number): number {
  // The shifts and `| 0` mark these as 32-bit integers for V8. The operation then takes 4 ns, and
  // not the 23 ns of a floating-point division.
  const rest = (numberHash(other, key) % (exclusiveMax >>> 0)) | 0
  // Subtracts the bound unless the result is negative. It has no branch, because processors cannot
  // predict one that goes either way equally often.
  const above = (half + rest - exclusiveMax) | 0
  return above + (exclusiveMax & (above >> 31))
}

/** Returns four bytes of a byte text as a 32-bit number, the lowest first. */
function wordAt(byteText: string, at: number): number {
  const byte = (i: number) => byteText.charCodeAt(at + i)
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)
}
