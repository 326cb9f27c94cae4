import { ByteReader } from '#kit/byte-reader.ts'
import { packVarints } from '#kit/varint.ts'

/**
 * Term vectors: under which words the tokens of a clip are indexed, and how often (FORMAT.md). Each
 * is a few hundred bytes, and a corpus has millions of words in them, so no objects are made when
 * one is read.
 */

/** A word as it is said in a clip. */
export interface Term {
  /** Its row in the table of words; its `wordId` while a release is built. */
  word: number
  /** How often it is said. */
  occurrenceCount: number
  /** How many tokens are indexed under it and under no other word. */
  aloneCount: number
  /** When it is first said, in milliseconds. */
  tStartMs: number
  /** The first of the tokens that say it first, counted across the cues, and how many they are. */
  token: number
  runLength: number
}

/** Tokens that are indexed under the same words, of which there are several. */
export interface TokenGroup {
  /** By their places among the terms of the clip. */
  terms: readonly number[]
  tokenCount: number
}

/** How a term says its counts: both are 1, they are the same, or they differ. */
const [once, same, different] = [0, 1, 2] as const

/** Packs the terms of a clip, in the order in which they are first said, and the groups. */
export function packTermVector(terms: readonly Term[], groups: readonly TokenGroup[]): Uint8Array {
  const numbers = [terms.length]
  let before = 0
  let tokenBefore = 0
  for (const { word, occurrenceCount, aloneCount, tStartMs, token, runLength } of terms) {
    const kind = occurrenceCount !== aloneCount ? different : occurrenceCount === 1 ? once : same
    numbers.push(word * 4 + kind)
    if (kind !== once) numbers.push(occurrenceCount)
    if (kind === different) numbers.push(aloneCount)
    numbers.push(tStartMs - before)
    before = tStartMs
    // Cues may overlap, so that the next term is not always said by a later token.
    const step = token - tokenBefore
    numbers.push((step < 0 ? -2 * step - 1 : 2 * step) * 2 + Number(runLength > 1))
    if (runLength > 1) numbers.push(runLength)
    tokenBefore = token
  }
  for (const { terms: places, tokenCount } of groups) numbers.push(places.length, ...places, tokenCount)
  return packVarints(numbers)
}

/**
 * Reads a term vector: `while (reader.nextTerm())`, then `while (reader.nextGroup())`. The fields
 * hold each term or group until the next.
 */
export class TermVectorReader implements Term, TokenGroup {
  word = 0
  occurrenceCount = 0
  aloneCount = 0
  tStartMs = 0
  token = 0
  runLength = 0
  readonly terms: number[] = []
  tokenCount = 0
  readonly #reader: ByteReader
  readonly #end: number
  #termsLeft: number

  /** Reads the bytes `from … to`. */
  constructor(bytes: Uint8Array, from = 0, to = bytes.length) {
    this.#reader = new ByteReader(bytes)
    this.#reader.at = from
    this.#end = to
    this.#termsLeft = from < to ? this.#reader.varint() : 0
  }

  nextTerm(): boolean {
    if (this.#termsLeft === 0) return false
    this.#termsLeft--
    const reader = this.#reader
    const head = reader.varint()
    const kind = head % 4
    this.word = Math.floor(head / 4)
    this.occurrenceCount = kind === once ? 1 : reader.varint()
    this.aloneCount = kind === different ? reader.varint() : this.occurrenceCount
    this.tStartMs += reader.varint()
    const moved = reader.varint()
    const step = Math.floor(moved / 2)
    this.token += step % 2 === 1 ? -(step + 1) / 2 : step / 2
    this.runLength = moved % 2 === 1 ? reader.varint() : 1
    return true
  }

  nextGroup(): boolean {
    const reader = this.#reader
    if (reader.at >= this.#end) return false
    this.terms.length = reader.varint()
    for (let i = 0; i < this.terms.length; i++) this.terms[i] = reader.varint()
    this.tokenCount = reader.varint()
    return true
  }
}
