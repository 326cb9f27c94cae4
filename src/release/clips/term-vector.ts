import { ByteReader } from '#kit/byte-reader.ts'
import { packVarints } from '#kit/varint.ts'

/**
 * Term vectors: under which words the tokens of a clip are indexed, how often, and when each word
 * is first said (FORMAT.md).
 *
 * A page may look at thousands of clips and show none of them, so what decides that comes first.
 */

/** A word as it is said in a clip. */
export interface Term {
  /** Its row in the table of words; its `wordId` while a release is built. */
  word: number
  /** How many tokens are indexed under it and under no other word. */
  aloneCount: number
  /** When it is first said, in milliseconds. */
  tStartMs: number
  /** How often it is said. */
  occurrenceCount: number
  /** How many tokens say it first. */
  runLength: number
  /** How many tokens before them, counted across the cues, begin in the same millisecond. */
  tokensBefore: number
}

/** Tokens that are indexed under the same words, of which there are several. */
export interface TokenGroup {
  /** By their places among the terms. */
  terms: readonly number[]
  tokenCount: number
}

/** Packs the terms of a clip, and its groups, whose places are those among `terms`. */
export function packTermVector(terms: readonly Term[], groups: readonly TokenGroup[]): Uint8Array {
  const ordered = terms.toSorted((a, b) => a.tStartMs - b.tStartMs || a.word - b.word)
  const places = new Map(ordered.map((term, place) => [term, place]))
  let tokenCount = 0
  for (const { aloneCount } of terms) tokenCount += aloneCount
  for (const group of groups) tokenCount += group.tokenCount
  const numbers = [tokenCount, terms.length, groups.length]
  for (const { word, aloneCount } of ordered)
    numbers.push(...(aloneCount === 1 ? [word * 2] : [word * 2 + 1, aloneCount]))
  for (const group of groups) {
    const rest = without([group.tokenCount], 1)
    const members = group.terms.map((term) => places.get(terms[term]!)!)
    numbers.push((members.length - 2) * 2 + rest.length, ...rest, ...members)
  }
  let beforeMs = 0
  for (const { tStartMs, aloneCount, occurrenceCount, runLength, tokensBefore } of ordered) {
    const rest = without([occurrenceCount, runLength, tokensBefore], aloneCount, 1, 0)
    numbers.push((tStartMs - beforeMs) * 4 + rest.length, ...rest)
    beforeMs = tStartMs
  }
  return packVarints(numbers)
}

/** The numbers without those at the end that are as usual. */
function without(numbers: readonly number[], ...usual: number[]): readonly number[] {
  return numbers.slice(0, numbers.findLastIndex((number, i) => number !== usual[i]) + 1)
}

/**
 * Reads term vectors, each into the same arrays: `read`, then `while (reader.nextFirst())` for when
 * the terms are first said. The fields hold that of a term until the next.
 */
export class TermVectorReader implements Omit<Term, 'word' | 'aloneCount'> {
  /** How many tokens are indexed under words. */
  tokenCount = 0
  termCount = 0
  /** By the place of a term. */
  words = new Uint32Array(0)
  aloneCounts = new Uint32Array(0)
  /** Of each group: how many tokens, how many terms, and the places of those. */
  groups = new Uint32Array(0)
  groupsEnd = 0
  /** The term whose first time was read last: −1 before the first. */
  place = -1
  tStartMs = 0
  occurrenceCount = 0
  runLength = 0
  tokensBefore = 0
  #numbers: ByteReader = new ByteReader(new Uint8Array(0))
  #groupCount = 0

  /** Reads how many tokens and terms there are, from the bytes `from … to`. */
  open(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#reserve(to - from)
    const numbers = (this.#numbers = new ByteReader(bytes))
    numbers.at = from
    this.place = -1
    this.tStartMs = this.groupsEnd = 0
    const isEmpty = from === to
    this.tokenCount = isEmpty ? 0 : numbers.varint()
    this.termCount = isEmpty ? 0 : numbers.varint()
    this.#groupCount = isEmpty ? 0 : numbers.varint()
  }

  /**
   * Whether at most so many terms that are said alone, and so many of their tokens, are unknown: 0
   * in `isKnown`. To be asked between `open` and `readTerms`, which most clips do not need then.
   */
  hasFewUnknown(isKnown: Uint8Array, termsMax: number, tokensMax: number): boolean {
    const numbers = this.#numbers
    const { at } = numbers
    let [terms, tokens] = [0, 0]
    for (let place = 0; place < this.termCount && terms <= termsMax && tokens <= tokensMax; place++) {
      const head = numbers.varint()
      const count = head % 2 === 0 ? 1 : numbers.varint()
      if (isKnown[head >>> 1]) continue
      tokens += count
      if (count > 0) terms++
    }
    numbers.at = at
    return terms <= termsMax && tokens <= tokensMax
  }

  /** Reads which words are said and how often, from the bytes `from … to`. */
  read(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.open(bytes, from, to)
    this.readTerms()
  }

  /** The same of the bytes that were opened. */
  readTerms(): void {
    const { words, aloneCounts, groups } = this
    const numbers = this.#numbers
    for (let place = 0; place < this.termCount; place++) {
      const head = numbers.varint()
      words[place] = head >>> 1
      aloneCounts[place] = head % 2 === 0 ? 1 : numbers.varint()
    }
    let end = 0
    for (let group = 0; group < this.#groupCount; group++) {
      const head = numbers.varint()
      const size = (head >> 1) + 2
      groups[end++] = head % 2 === 0 ? 1 : numbers.varint()
      groups[end++] = size
      for (let i = 0; i < size; i++) groups[end++] = numbers.varint()
    }
    this.groupsEnd = end
  }

  /** Reads when the next term is first said; false if there is none. */
  nextFirst(): boolean {
    const place = ++this.place
    if (place >= this.termCount) return false
    const numbers = this.#numbers
    const head = numbers.varint()
    const rest = head & 3
    this.tStartMs += head >> 2
    this.occurrenceCount = rest > 0 ? numbers.varint() : this.aloneCounts[place]!
    this.runLength = rest > 1 ? numbers.varint() : 1
    this.tokensBefore = rest > 2 ? numbers.varint() : 0
    return true
  }

  /** A term has two bytes or more; a group has at most twice as many numbers as bytes. */
  #reserve(sizeBytes: number): void {
    if (this.words.length >= sizeBytes) return
    this.words = new Uint32Array(2 * sizeBytes)
    this.aloneCounts = new Uint32Array(2 * sizeBytes)
    this.groups = new Uint32Array(4 * sizeBytes)
  }
}
