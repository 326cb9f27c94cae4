import { ByteReader, pushVarint } from '#kit/varint.ts'

/**
 * Term vectors: the indexed words of a clip, how often they occur and when first (FORMAT.md).
 *
 * A page may examine thousands of clips and show none of them. So the deciding data comes first, in
 * a form in which a processor can predict most branches: words of one width are together, and
 * counts have four bits. With varints for both, reading takes twice as long.
 */

/** A word in a clip. */
export interface Term {
  /** Its number in its language; while a release is built, its `wordId`. */
  word: number
  /** The number of tokens that are indexed only under this word. */
  aloneCount: number
  /** The time of its first occurrence, in milliseconds. */
  tStartMs: number
  occurrenceCount: number
  /** The number of tokens in its first occurrence. */
  runLength: number
  /** The number of tokens before the first occurrence that start in the same millisecond. */
  tokensBefore: number
}

/** A number of tokens that are indexed under the same words, of which there are several. */
export interface TokenGroup {
  /** The words, by their positions among the terms. */
  terms: readonly number[]
  tokenCount: number
}

/** The possible sizes of a word, in bytes. */
const widths = [1, 2, 4] as const
/** Stands for a count that does not fit into four bits. */
const large = 15

/** Packs the terms of a clip, and its groups, whose positions refer to `terms`. */
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

/** Compares terms: narrow words come first, then by the order of first occurrences. */
function compareTerms(a: Term, b: Term): number {
  return widthOf(a.word) - widthOf(b.word) || a.tStartMs - b.tStartMs || a.word - b.word
}

function widthOf(word: number): number {
  return word < 1 << 8 ? 1 : word < 1 << 16 ? 2 : 4
}

/**
 * Appends the time of a term's first occurrence, and its counts up to the last unusual one. The
 * time is relative to that of the previous term, `before`, if both have the same width.
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
 * Reads term vectors, each into the same arrays: `open`, `readTerms`, then `while
 * (reader.nextFirst())` for the first occurrences of the terms. The fields contain the data of a
 * term until the next call.
 */
export class TermVectorReader implements Omit<Term, 'word' | 'aloneCount'> {
  /** The number of tokens that are indexed under words. */
  tokenCount = 0
  termCount = 0
  /** The words, by the position of the term. */
  words = new Uint32Array(0)
  aloneCounts = new Uint32Array(0)
  /** The number of tokens, the number of terms, and the positions of the terms, of each group. */
  groups = new Uint32Array(0)
  groupsEnd = 0
  /** The term whose first occurrence was read last; −1 before the first. */
  place = -1
  tStartMs = 0
  occurrenceCount = 0
  runLength = 0
  tokensBefore = 0
  #numbers: ByteReader = new ByteReader(new Uint8Array(0))
  /** The ends of the terms of each width. */
  readonly #ends = [0, 0, 0]
  #groupCount = 0

  /** Reads the numbers of tokens and terms, from the bytes `from … to`. */
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
   * Counts the unknown terms (0 in `isKnown`). Returns Infinity above a maximum of terms with their
   * own tokens, or of such tokens. Call it before `readTerms`, which most clips then do not need.
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

  /** Reads the words and their counts. */
  readTerms(): void {
    this.#readWords()
    this.#readCounts()
    this.#readGroups(this.#groupCount)
  }

  /** A term has at least two bytes; a group has at most twice as many numbers as bytes. */
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

  /** Reads the first occurrence of the next term; false if there is none. */
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

/** Returns the terms and groups of a vector, in its order. Many calls can share a reader. */
export function unpackTermVector(
  bytes: Uint8Array,
  reader = new TermVectorReader(),
): { terms: Term[]; groups: TokenGroup[] } {
  reader.open(bytes)
  reader.readTerms()
  const terms: Term[] = []
  while (reader.nextFirst()) {
    const { place, tStartMs, occurrenceCount, runLength, tokensBefore } = reader
    const [word, aloneCount] = [reader.words[place]!, reader.aloneCounts[place]!]
    terms.push({ word, aloneCount, tStartMs, occurrenceCount, runLength, tokensBefore })
  }
  const groups: TokenGroup[] = []
  for (let at = 0; at < reader.groupsEnd;) {
    const [tokenCount, size] = [reader.groups[at]!, reader.groups[at + 1]!]
    groups.push({ terms: [...reader.groups.subarray(at + 2, at + 2 + size)], tokenCount })
    at += 2 + size
  }
  return { terms, groups }
}
