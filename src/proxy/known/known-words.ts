import { isBetterFocus, type Candidate } from '#contract/focus-word.ts'
import type { KnownList } from '#contract/known.ts'
import { levelRank } from '#contract/levels.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import { share } from '#kit/round.ts'
import type { TermVectorReader } from '#release/clips/term-vector.ts'
import type { WordTable } from '#release/words/reader.ts'

/** How a clip fits what a learner knows (contract 1.6). */
export interface Fit {
  /**
   * Of its indexed tokens, the share that is known: 2 decimals, halves up; 1 without such tokens.
   */
  knownShare: number
  /** How many words are said by tokens of which no word is known. */
  unknownCount: number
}

/** A word that is new to the learner: its row, and when it is first said, in milliseconds. */
export interface NewWord {
  row: number
  tStartMs: number
}

/**
 * What is remembered of a word. Asking about each word of a language would cost more than a page.
 */
const [notAsked, unknown, known] = [0, 1, 2] as const

/** What a learner knows of the words of a language. */
export class KnownWords {
  readonly #words: WordTable
  readonly #first: number
  /** The rank of the level up to which every word is known; −1 if there is none. */
  readonly #rank: number
  readonly #ids: ReadonlySet<number>
  readonly #exceptIds: ReadonlySet<number>
  readonly #packed: Float64Array
  /** By the row in the language. */
  readonly #asked: Uint8Array
  /** By the place among the terms of the clip at hand: 1 for a word of an unknown token. */
  #isNew = new Uint8Array(256)
  /** By the same place: the word, how often it is said, and when first. */
  readonly #said: number[] = []
  readonly #counts: number[] = []
  readonly #starts: number[] = []
  #termCount = 0

  /** `packed` is the packed set, unpacked: ascending. */
  constructor(list: KnownList, packed: Float64Array, words: WordTable, language: string) {
    const { first, end } = words.rangeOf(language)
    this.#words = words
    this.#first = first
    this.#rank = list.level === null ? -1 : levelRank(list.level)
    this.#ids = new Set(list.wordIds)
    this.#exceptIds = new Set(list.exceptIds)
    this.#packed = packed
    this.#asked = new Uint8Array(end - first)
  }

  /** Whether a word is known, by its row in the language. */
  #isKnown(word: number): boolean {
    if (this.#asked[word] === notAsked) this.#asked[word] = this.#ask(this.#first + word) ? known : unknown
    return this.#asked[word] === known
  }

  #ask(row: number): boolean {
    const wordId = this.#words.wordId(row)
    if (this.#exceptIds.has(wordId)) return false
    if (this.#words.levels[row]! <= this.#rank || this.#ids.has(wordId)) return true
    return this.#packed[lowerBound(this.#packed, wordId)] === wordId
  }

  /** How a clip with these terms fits. */
  fit(terms: TermVectorReader): Fit {
    const { tokens, all, unknownCount } = this.#read(terms)
    return { knownShare: all === 0 ? 1 : share(tokens, all, 2), unknownCount }
  }

  /**
   * The word worth teaching in the clip that `fit` was asked about last: of its new words those of
   * the lowest level, then by the rules for every focus word. Null if all are known.
   */
  newWord(): NewWord | null {
    let best: (Candidate & NewWord & { level: number }) | null = null
    for (let place = 0; place < this.#termCount; place++) {
      if (this.#isNew[place] === 0) continue
      const row = this.#first + this.#said[place]!
      const level = this.#words.levels[row]!
      if (best && level > best.level) continue
      const [occurrenceCount, tStartMs] = [this.#counts[place]!, this.#starts[place]!]
      const clipCount = this.#words.clipCount(row)
      const candidate = { row, level, tStartMs, occurrenceCount, clipCount, wordId: this.#words.wordId(row) }
      if (!best || level < best.level || isBetterFocus(candidate, best)) best = candidate
    }
    return best
  }

  /** Counts the tokens of a clip, and marks its new words. */
  #read(terms: TermVectorReader): { tokens: number; all: number; unknownCount: number } {
    const isKnown: boolean[] = []
    let tokens = 0
    let all = 0
    let unknownCount = 0
    let place = 0
    for (; terms.nextTerm(); place++) {
      this.#said[place] = terms.word
      this.#counts[place] = terms.occurrenceCount
      this.#starts[place] = terms.tStartMs
      if (place === this.#isNew.length) this.#isNew = grown(this.#isNew)
      const isKnownWord = this.#isKnown(terms.word)
      isKnown.push(isKnownWord)
      all += terms.aloneCount
      if (isKnownWord) tokens += terms.aloneCount
      const isNew = !isKnownWord && terms.aloneCount > 0 ? 1 : 0
      this.#isNew[place] = isNew
      unknownCount += isNew
    }
    this.#termCount = place
    while (terms.nextGroup()) {
      all += terms.tokenCount
      if (terms.terms.some((place) => isKnown[place])) {
        tokens += terms.tokenCount
        continue
      }
      for (const place of terms.terms) {
        unknownCount += 1 - this.#isNew[place]!
        this.#isNew[place] = 1
      }
    }
    return { tokens, all, unknownCount }
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2)
  larger.set(bytes)
  return larger
}
