import { sha256 } from '#kit/digest.ts'

const rounds = 8

/**
 * The order of one shuffle: a permutation of the ordinals 0 … domain − 1, fixed by language and seed.
 *
 * A generalised Feistel network over a × b ≥ domain (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002), with cycle walking where a × b
 * is larger: any position is worked out by itself, in constant time and without memory, so a page costs what its items cost. a and b are
 * about √domain, so that a × b exceeds the domain by less than a and a walk seldom takes a second step.
 */
export class Order {
  readonly domain: number
  readonly #rows: number
  readonly #columns: number
  readonly #keys: Uint32Array

  constructor(language: string, seed: string, domain: number) {
    this.domain = domain
    this.#rows = Math.max(1, Math.ceil(Math.sqrt(domain)))
    this.#columns = Math.max(1, Math.ceil(domain / this.#rows))
    const digest = sha256(`feed order 1\0${language}\0${seed}`)
    this.#keys = Uint32Array.from({ length: rounds }, (_, i) => digest.readUInt32LE(i * 4))
  }

  /** The ordinal at a position, 0 ≤ position < domain. */
  at(position: number): number {
    let value = position
    do value = this.#permute(value)
    while (value >= this.domain)
    return value
  }

  #permute(value: number): number {
    const rows = this.#rows
    const columns = this.#columns
    const keys = this.#keys
    let row = Math.floor(value / columns)
    let column = value - row * columns
    for (let i = 0; i < rounds; i += 2) {
      row += mixed(column, keys[i]!, rows)
      if (row >= rows) row -= rows
      column += mixed(row, keys[i + 1]!, columns)
      if (column >= columns) column -= columns
    }
    return row * columns + column
  }
}

/**
 * The finaliser of MurmurHash3 (Appleby, public domain), keyed: every bit of the input moves every bit of the output; below `bound`. The remainder is
 * taken of 32 bits: of a sum beyond them it would be that of a fraction, which takes ten times as long.
 */
function mixed(value: number, key: number, bound: number): number {
  let h = (value ^ key) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13) ^ key, 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) % bound
}
