import { ByteReader, pushVarint } from '#kit/varint.ts'

/**
 * Term vectors: under which words the tokens of a clip are indexed, how often, and when each word
 * is first said (FORMAT.md).
 *
 * A page may look at thousands of clips and show none of them. What decides that comes first, and
 * so that a processor can predict most branches: words of one width lie together, and counts have
 * four bits. With varints for both, reading takes twice as long.
 */

/** A word as it is said in a clip. */
export interface Term {
  /** Its number in its language; its `wordId` while a release is built. */
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

/** The bytes that a word can have. */
const widths = [1, 2, 4] as const
/** A count that four bits do not hold. */
const large = 15

/** Packs the terms of a clip, and its groups, whose places are those among `terms`. */
export function packTermVector(terms: readonly Term[], groups: readonly TokenGroup[]): Uint8Array {
  const inOrder = terms.toSorted(compareTerms)
  const ofWidth = widths.map((width) => terms.filter(({ word }) => widthOf(word) === width).length)
  let tokenCount = 0
  for (const { aloneCount } of terms) tokenCount += aloneCount
  for (const group of groups) tokenCount += group.tokenCount
  const bytes: number[] = []
  for (const number of [tokenCount, ...ofWidth, groups.length]) pushVarint(bytes, number)
  for (const { word } of inOrder)
    for (let shift = 0, end = 8 * widthOf(word); shift < end; shift += 8) bytes.push((word >>> shift) & 255)
  const countAt = (place: number) => Math.min(inOrder[place]?.aloneCount ?? 0, large)
  for (let place = 0; place < inOrder.length; place += 2) bytes.push(countAt(place) + 16 * countAt(place + 1))
  for (const { aloneCount } of inOrder) if (aloneCount >= large) pushVarint(bytes, aloneCount)
  const places = new Map(groups.length > 0 ? inOrder.map((term, place) => [term, place]) : [])
  for (const { terms: together, tokenCount: count } of groups) {
    pushVarint(bytes, (together.length - 2) * 2 + Number(count !== 1))
    if (count !== 1) pushVarint(bytes, count)
    for (const term of together) pushVarint(bytes, places.get(terms[term]!)!)
  }
  for (const [place, term] of inOrder.entries()) pushFirst(bytes, term, inOrder[place - 1])
  return new Uint8Array(bytes)
}

/** Narrow words first, then in the order in which they are first said. */
function compareTerms(a: Term, b: Term): number {
  return widthOf(a.word) - widthOf(b.word) || a.tStartMs - b.tStartMs || a.word - b.word
}

function widthOf(word: number): number {
  return word < 1 << 8 ? 1 : word < 1 << 16 ? 2 : 4
}

/**
 * Appends when a term is first said, with its counts up to the last that is unusual; `before` is
 * the term before it.
 */
function pushFirst(bytes: number[], term: Term, before: Term | undefined): void {
  const { word, tStartMs, aloneCount, occurrenceCount, runLength, tokensBefore } = term
  const fromMs = before && widthOf(before.word) === widthOf(word) ? before.tStartMs : 0
  const rest = tokensBefore !== 0 ? 3 : runLength !== 1 ? 2 : Number(occurrenceCount !== aloneCount)
  pushVarint(bytes, (tStartMs - fromMs) * 4 + rest)
  if (rest > 0) pushVarint(bytes, occurrenceCount)
  if (rest > 1) pushVarint(bytes, runLength)
  if (rest > 2) pushVarint(bytes, tokensBefore)
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
  /** Behind the terms of each width. */
  readonly #ends = [0, 0, 0]
  #groupCount = 0

  /** Reads how many tokens and terms there are, from the bytes `from … to`. */
  open(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#reserve(to - from)
    this.#numbers = new ByteReader(bytes)
    this.#numbers.at = from
    this.place = -1
    this.tokenCount = this.tStartMs = this.termCount = this.#groupCount = this.groupsEnd = 0
    if (from === to) return
    this.tokenCount = this.#numbers.varint()
    for (let i = 0; i < widths.length; i++) this.#ends[i] = this.termCount += this.#numbers.varint()
    this.#groupCount = this.#numbers.varint()
  }

  /**
   * Counts the terms that are unknown: 0 in `isKnown`. Returns Infinity if more than so many are
   * said alone, or more than so many tokens are of these. To be called between `open` and
   * `readTerms`, which most clips do not need then.
   */
  countUnknown(isKnown: Uint8Array, aloneMax: number, tokensMax: number): number {
    const { bytes } = this.#numbers
    const [narrow, middle, all] = this.#ends as [number, number, number]
    let at = this.#numbers.at
    const countsAt = at + narrow + 2 * (middle - narrow) + 4 * (all - middle)
    let [unknownCount, alone, tokens] = [0, 0, 0]
    for (let place = 0, i = 0; place < this.termCount; place++) {
      while (place === this.#ends[i]) i++
      const bits = 8 * widths[i]!
      let word = bytes[at++]!
      for (let shift = 8; shift < bits; shift += 8) word |= bytes[at++]! << shift
      if (isKnown[word]) continue
      const count = (bytes[countsAt + (place >> 1)]! >> (4 * (place & 1))) & large
      unknownCount++
      tokens += count
      if (count > 0) alone++
      if (alone > aloneMax || tokens > tokensMax) return Infinity
    }
    return unknownCount
  }

  /** Reads which words are said and how often, from the bytes `from … to`. */
  read(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.open(bytes, from, to)
    this.readTerms()
  }

  /** The same of the bytes that were opened. */
  readTerms(): void {
    this.#readWords()
    this.#readCounts()
    this.#readGroups(this.#groupCount)
  }

  /** A term has two bytes or more; a group has at most twice as many numbers as bytes. */
  #reserve(sizeBytes: number): void {
    if (this.words.length >= sizeBytes) return
    this.words = new Uint32Array(2 * sizeBytes)
    this.aloneCounts = new Uint32Array(2 * sizeBytes)
    this.groups = new Uint32Array(4 * sizeBytes)
  }

  #readWords(): void {
    const { words } = this
    const { bytes } = this.#numbers
    let { at } = this.#numbers
    let place = 0
    for (let i = 0; i < widths.length; i++) {
      const [end, bits] = [this.#ends[i]!, 8 * widths[i]!]
      for (; place < end; place++) {
        let word = bytes[at++]!
        for (let shift = 8; shift < bits; shift += 8) word |= bytes[at++]! << shift
        words[place] = word
      }
    }
    this.#numbers.at = at
  }

  #readCounts(): void {
    const { aloneCounts, termCount } = this
    const { bytes, at } = this.#numbers
    this.#numbers.at += (termCount + 1) >> 1
    for (let place = 0; place < termCount; place++) {
      const count = (bytes[at + (place >> 1)]! >> (4 * (place & 1))) & 15
      aloneCounts[place] = count < large ? count : this.#numbers.varint()
    }
  }

  #readGroups(count: number): void {
    const { groups } = this
    const numbers = this.#numbers
    let end = 0
    for (let group = 0; group < count; group++) {
      const head = numbers.varint()
      const size = (head >> 1) + 2
      groups[end++] = (head & 1) === 0 ? 1 : numbers.varint()
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
    this.tStartMs = (place === this.#ends[0] || place === this.#ends[1] ? 0 : this.tStartMs) + (head >> 2)
    this.occurrenceCount = rest > 0 ? numbers.varint() : this.aloneCounts[place]!
    this.runLength = rest > 1 ? numbers.varint() : 1
    this.tokensBefore = rest > 2 ? numbers.varint() : 0
    return true
  }
}
