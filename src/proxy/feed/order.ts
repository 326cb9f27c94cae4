import { sha256ByteText } from '#kit/digest.ts'

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
  readonly #keys: number[] = []

  constructor(language: string, seed: string, domain: number) {
    this.domain = domain
    this.#rows = Math.max(1, Math.ceil(Math.sqrt(domain)))
    this.#columns = Math.max(1, Math.ceil(domain / this.#rows))
    const digest = sha256ByteText(`feed order 1\0${language}\0${seed}`)
    for (let i = 0; i < rounds; i++) this.#keys.push(wordAt(digest, i * 4))
  }

  /** The ordinal at a position, 0 ≤ position < domain. */
  at(position: number): number {
    return this.page(position, 1)[0]!
  }

  /** The ordinals at `count` positions from one on. */
  page(position: number, count: number): number[] {
    const values: number[] = []
    for (let i = 0; i < count; i++) values.push(position + i)
    this.#permute(values)
    for (let i = 0; i < count; i++)
      while (values[i]! >= this.domain) values[i] = this.#permute([values[i]!])[0]!
    return values
  }

  /** Round by round over all values: they do not wait for one another as the rounds of one do (21 values: 2.2 µs, one by one 4.7). */
  #permute(values: number[]): number[] {
    const rows = this.#rows
    const columns = this.#columns
    const rowOf: number[] = []
    const columnOf: number[] = []
    for (let i = 0; i < values.length; i++) {
      const row = Math.floor(values[i]! / columns)
      rowOf.push(row)
      columnOf.push(values[i]! - row * columns)
    }
    for (let round = 0; round < rounds; round += 2) {
      addMixed(rowOf, columnOf, this.#keys[round]!, rows)
      addMixed(columnOf, rowOf, this.#keys[round + 1]!, columns)
    }
    for (let i = 0; i < values.length; i++) values[i] = rowOf[i]! * columns + columnOf[i]!
    return values
  }
}

/** Adds to each of `halves` what the other half of its value mixes to, modulo `bound`. */
function addMixed(halves: number[], others: readonly number[], key: number, bound: number): void {
  const inverse = 1 / bound
  for (let i = 0; i < halves.length; i++) {
    const sum = halves[i]! + remainder(mixed(others[i]!, key), bound, inverse)
    halves[i] = sum >= bound ? sum - bound : sum
  }
}

/** Four bytes of a text of one character a byte as a 32-bit number, the lowest first. */
function wordAt(byteText: string, at: number): number {
  const byte = (i: number) => byteText.charCodeAt(at + i)
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)
}

/** The finaliser of MurmurHash3 (Appleby, public domain), keyed: every bit of the input moves every bit of the output, a number of 32 bits. */
function mixed(value: number, key: number): number {
  let h = value ^ key
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13) ^ key, 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/**
 * The remainder of a number of 32 bits, taken as unsigned, by a bound below 2³⁰: the quotient by the inverse is right or one beside. The engine's `%` takes
 * 23 ns where its numbers pass 31 bits, this 7.
 */
function remainder(value: number, bound: number, inverse: number): number {
  const rest = (value - Math.imul((value >>> 0) * inverse, bound)) | 0
  if (rest < 0) return rest + bound
  return rest >= bound ? rest - bound : rest
}
