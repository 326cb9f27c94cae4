import { sha256 } from '#kit/digest.ts'
import { packVarints } from '#kit/varint.ts'
import { searchFold } from '#language/folds.ts'
import { digestBytes, writeTable } from '../table-file.ts'
import { columns, endTerm, partBytes, tableName, termHash, wordTerm, type SegmentEntry } from './layout.ts'
import { packPostingList } from './posting-list.ts'

/**
 * The speech of a clip for the sentence index. It can be sent between threads and stored as JSON.
 */
export interface Speech {
  /**
   * The tokens as spoken, with an empty one where a sentence ends. The index of a token is its
   * position in the clip, so two tokens at neighbouring positions belong to one sentence.
   */
  tokens: readonly string[]
  /**
   * The words under which tokens are indexed: a position, a word id and the number of tokens
   * (`wordTerm`) by turns, with ascending positions.
   */
  words: number[]
  /** A word id and a form by turns, for each form in the clip that is not the headword. */
  forms: (number | string)[]
}

export interface SegmentClip {
  ordinal: number
  clipId: string
}

/** Builds the segment of the clips of a language from an ordinal on. */
export class SegmentWriter {
  readonly #language: string
  readonly #firstOrdinal: number
  /** The start and the first 32 bits of the id of each clip, by ordinal. */
  readonly #positionAt: number[] = []
  readonly #ids: number[] = []
  /** The positions of each term, and of the term of a text. */
  readonly #terms = new Map<string, number[]>()
  readonly #ofText = new Map<string, number[]>()
  #position = 0
  #clips = 0
  #tokens = 0

  constructor(language: string, firstOrdinal: number) {
    this.#language = language
    this.#firstOrdinal = firstOrdinal
  }

  /** Adds a clip. @throws {RangeError} its ordinal is not above that of the previous clip */
  add({ ordinal, clipId }: SegmentClip, { tokens, words }: Speech): void {
    const clip = ordinal - this.#firstOrdinal
    if (clip < this.#ids.length)
      throw new RangeError(
        `cannot add the ordinal ${ordinal}: it must be at least ${this.#firstOrdinal + this.#ids.length}`,
      )
    while (this.#ids.length < clip) this.#addClip(0)
    this.#addClip(Number.parseInt(clipId.slice(0, 8), 16))
    this.#clips++
    let word = 0
    for (const [place, text] of tokens.entries()) {
      this.#positionsOf(text).push(this.#position)
      for (; words[word] === place; word += 3)
        this.#listOf(wordTerm(words[word + 1]!, words[word + 2])).push(this.#position)
      this.#position++
      if (text !== endTerm) this.#tokens++
    }
  }

  /** Returns the finished segment, and its files in the order of `segmentPaths`. */
  finish(): { entry: SegmentEntry; files: Uint8Array[] } {
    const { body, termHashes, listAt } = this.#lists()
    const count = Math.ceil(body.length / partBytes)
    const parts = Array.from({ length: count }, (_, i) => body.subarray(i * partBytes, (i + 1) * partBytes))
    const pieces = writeTable(tableName, columns, {
      positionAt: [...this.#positionAt, this.#position],
      ids: this.#ids,
      termHashes,
      listAt,
      partDigests: Buffer.concat(parts.map((part) => sha256(part).subarray(0, digestBytes))),
    })
    const head = Buffer.concat([...pieces])
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

  #positionsOf(text: string): number[] {
    return this.#ofText.getOrInsertComputed(text, () => this.#listOf(searchFold(text, this.#language)))
  }

  #listOf(term: string): number[] {
    return this.#terms.getOrInsertComputed(term, () => [])
  }

  /** Returns the lists end to end in the order of their terms, and the start of each. */
  #lists() {
    const terms = [...this.#terms]
      .map(([term, positions]) => ({ term, positions, hash: termHash(term) }))
      .sort((a, b) => a.hash - b.hash || (a.term < b.term ? -1 : 1))
    const lists = terms.map(({ term, positions }) => {
      const bytes = Buffer.from(term)
      return Buffer.concat([packVarints([bytes.length]), bytes, packPostingList(positions)])
    })
    const listAt = [0]
    for (const list of lists) listAt.push(listAt.at(-1)! + list.length)
    return { body: Buffer.concat(lists), termHashes: terms.map(({ hash }) => hash), listAt }
  }
}
