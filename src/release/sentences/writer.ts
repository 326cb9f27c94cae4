import { sha256 } from '#kit/digest.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { packVarints } from '#kit/varint.ts'
import { searchFold } from '#language/folds.ts'
import { digestBytes, writeTable } from '../table-file.ts'
import { columns, endTerm, partBytes, tableName, termHash, wordTerm, type SegmentEntry } from './layout.ts'
import { packPostingList } from './posting-list.ts'
import type { Speech } from './speech.ts'

/** A clip of a segment. */
export interface SegmentClip {
  ordinal: number
  clipId: string
}

/** A finished segment, and its files in the order of `segmentPaths`. */
export interface MadeSegment {
  entry: SegmentEntry
  files: Uint8Array[]
}

/** Builds the segment of the clips of a language from an ordinal on. */
export class SegmentWriter {
  readonly #language: string
  readonly #firstOrdinal: number
  /** By clip, that is ordinal: where it begins, the first 32 bits of its id. */
  readonly #positionAt = new GrowingUint32Array()
  readonly #ids = new GrowingUint32Array()
  /** The number of each term, and of the term that a text is folded to. */
  readonly #terms = new Map<string, number>()
  readonly #textTerms = new Map<string, number>()
  readonly #wordTerms = new Map<number, number>()
  /**
   * Everything that is said, by position: twice the number of a term, and one more for a word that
   * is said at the position of the text before it.
   */
  readonly #said = new GrowingUint32Array()
  #position = 0
  #clips = 0
  #tokens = 0

  constructor(language: string, firstOrdinal: number) {
    this.#language = language
    this.#firstOrdinal = firstOrdinal
  }

  /** Adds a clip. @throws {RangeError} its ordinal is not above that of the clip before */
  add({ ordinal, clipId }: SegmentClip, { lines, words }: Speech): void {
    const clip = ordinal - this.#firstOrdinal
    if (clip < this.#ids.length)
      throw new RangeError(
        `cannot add the ordinal ${ordinal}: it must be at least ${this.#firstOrdinal + this.#ids.length}`,
      )
    while (this.#ids.length < clip) this.#addClip(0)
    this.#addClip(Number.parseInt(clipId.slice(0, 8), 16))
    this.#clips++
    let word = 0
    for (const [line, text] of lines.split('\n').entries()) {
      this.#said.push(this.#termOf(text) * 2)
      for (; words[word] === line; word += 2) this.#said.push(this.#termOfWord(words[word + 1]!) * 2 + 1)
      this.#position++
      if (text !== endTerm) this.#tokens++
    }
  }

  finish(): MadeSegment {
    this.#positionAt.push(this.#position)
    const { body, termHashes, listAt } = this.#lists()
    const count = Math.ceil(body.length / partBytes)
    const parts = Array.from({ length: count }, (_, i) => body.subarray(i * partBytes, (i + 1) * partBytes))
    const head = writeTable(tableName, columns, {
      positionAt: this.#positionAt.view(),
      ids: this.#ids.view(),
      termHashes,
      listAt,
      partDigests: Buffer.concat(parts.map((part) => sha256(part).subarray(0, digestBytes))),
    })
    const entry = {
      language: this.#language,
      firstOrdinal: this.#firstOrdinal,
      digest: sha256(head).toString('hex'),
      parts: count,
      clips: this.#clips,
      tokens: this.#tokens,
    }
    return { entry, files: [head, ...parts] }
  }

  #addClip(id: number): void {
    this.#positionAt.push(this.#position)
    this.#ids.push(id)
  }

  #termOf(text: string): number {
    let term = this.#textTerms.get(text)
    if (term === undefined) {
      term = this.#numberOf(searchFold(text, this.#language))
      this.#textTerms.set(text, term)
    }
    return term
  }

  #termOfWord(wordId: number): number {
    return this.#wordTerms.getOrInsertComputed(wordId, () => this.#numberOf(wordTerm(wordId)))
  }

  #numberOf(term: string): number {
    return this.#terms.getOrInsertComputed(term, () => this.#terms.size)
  }

  /** The lists end to end in the order of their terms, and where each begins. */
  #lists() {
    const terms = [...this.#terms.keys()]
      .map((term, number) => ({ term, number, hash: termHash(term) }))
      .sort((a, b) => a.hash - b.hash || (a.term < b.term ? -1 : 1))
    const pieces: Uint8Array[] = []
    const listAt = new Uint32Array(terms.length + 1)
    const positions = this.#byTerm(terms.length)
    for (const [i, { term, number }] of terms.entries()) {
      const bytes = Buffer.from(term)
      const list = [packVarints([bytes.length]), bytes, packPostingList(positions(number))]
      pieces.push(...list)
      listAt[i + 1] = listAt[i]! + list.reduce((sum, { length }) => sum + length, 0)
    }
    return { body: Buffer.concat(pieces), termHashes: terms.map(({ hash }) => hash), listAt }
  }

  /** The positions of a term, by its number: a counting sort, which keeps their order. */
  #byTerm(count: number): (term: number) => Uint32Array {
    const said = this.#said.view()
    const starts = new Uint32Array(count + 1)
    for (const entry of said) starts[(entry >>> 1) + 1]!++
    for (let term = 0; term < count; term++) starts[term + 1]! += starts[term]!
    const next = starts.slice()
    const sorted = new Uint32Array(said.length)
    let position = -1
    for (const entry of said) {
      if (entry % 2 === 0) position++
      sorted[next[entry >>> 1]!++] = position
    }
    return (term) => sorted.subarray(starts[term], starts[term + 1])
  }
}
