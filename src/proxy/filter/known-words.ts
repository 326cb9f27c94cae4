import { isBetterFocus, type Candidate } from '#contract/focus-word.ts'
import type { KnownList } from '#contract/known.ts'
import { share } from '#kit/round.ts'
import { ByteReader } from '#kit/varint.ts'
import { TermVectorReader } from '#release/clips/term-vector.ts'
import type { Release } from '#release/release.ts'
import type { WordTable } from '#release/words/reader.ts'

/** How well a clip suits a learner's known words (contract 1.6). */
export interface Fit {
  /**
   * The known share of its indexed tokens: 2 decimals, halves rounded up; 1 without such tokens.
   */
  knownShare: number
  /** The number of words whose tokens contain no known word. */
  unknownCount: number
}

/** Returns the fields of a fit at the end of an item's JSON; empty without `known`. */
export function fitFields(fit: Fit | null): string {
  return fit ? `,"knownShare":${fit.knownShare},"unknownCount":${fit.unknownCount}` : ''
}

/** The row of the word that a clip teaches, and the time of its first occurrence; null if none. */
export type TaughtWord = { row: number; tStartMs: number } | null

/** The limits within which a clip is shown. */
export interface FitLimits {
  minKnownShare: number
  maxUnknown: number
}

/** The terms of the current clip. A clip is read and examined immediately, so all share them. */
const terms = new TermVectorReader()
/** The kind of each term: known, new, or neither if another word of each of its tokens is known. */
let kinds = new Uint8Array(256)
const known = 1
const isNew = 2

const allKnown: Fit = { knownShare: 1, unknownCount: 0 }

/** A learner's known words in a language. */
export class KnownWords {
  readonly #release: Release
  readonly #words: WordTable
  readonly #first: number
  /** 1 for a known word, indexed by its number in the language. */
  readonly #isKnown: Uint8Array

  /** @param packedIds the packed set: the differences of its ids in LEB128; null without one */
  constructor(list: KnownList, packedIds: Uint8Array | null, release: Release, language: string) {
    const { words } = release
    this.#release = release
    this.#words = words
    this.#first = words.rangeOf(language).first
    const byLevel = words.upToLevel(language, list.levelRank)
    const hasIds = packedIds !== null || list.wordIds.length + list.exceptIds.length > 0
    this.#isKnown = hasIds ? new Uint8Array(byLevel) : byLevel
    if (packedIds) {
      const differences = new ByteReader(packedIds)
      for (let wordId = 0; differences.at < packedIds.length;) {
        wordId += differences.varint()
        this.#mark(wordId, 1)
      }
    }
    for (const wordId of list.wordIds) this.#mark(wordId, 1)
    for (const wordId of list.exceptIds) this.#mark(wordId, 0)
  }

  /** Marks a word as known or not, if the language has it. */
  #mark(wordId: number, isKnown: 0 | 1): void {
    const row = this.#words.find(wordId)
    if (row < 0) return
    const number = this.#words.numberOf(row)! - this.#first
    if (number >= 0 && number < this.#isKnown.length) this.#isKnown[number] = isKnown
  }

  /** Returns how well a clip suits the learner if that is within these limits; otherwise null. */
  fitWithin(row: number, { minKnownShare, maxUnknown }: FitLimits): Fit | null {
    this.#release.clips.openTerms(row, terms)
    // A share that is shown as the limit may be half a hundredth below it.
    const tokensMax = terms.tokenCount * (1.005 - minKnownShare) + 1e-6
    const unknown = terms.countUnknown(this.#isKnown, maxUnknown, tokensMax)
    if (unknown === Infinity) return null
    if (unknown === 0) return allKnown
    const fit = this.#fitOpened()
    return fit.knownShare >= minKnownShare && fit.unknownCount <= maxUnknown ? fit : null
  }

  /** Returns how well a clip suits the learner. */
  fit(row: number): Fit {
    this.#release.clips.openTerms(row, terms)
    return this.#fitOpened()
  }

  /** Does the same for the clip whose terms are open. */
  #fitOpened(): Fit {
    terms.readTerms()
    if (kinds.length < terms.termCount) kinds = new Uint8Array(2 * terms.termCount)
    const isKnown = this.#isKnown
    const { words, aloneCounts, groups, groupsEnd, tokenCount: all } = terms
    const marks = kinds
    let tokens = 0
    let unknownCount = 0
    // Without branches, which would go either way.
    for (let place = 0; place < terms.termCount; place++) {
      const knows = isKnown[words[place]!]!
      const aloneCount = aloneCounts[place]!
      tokens += aloneCount * knows
      const isNewHere = (1 - knows) & (-aloneCount >> 31)
      marks[place] = knows | (isNewHere << 1)
      unknownCount += isNewHere
    }
    for (let at = 0; at < groupsEnd;) {
      const tokenCount = groups[at]!
      const from = at + 2
      at = from + groups[at + 1]!
      if (hasKnown(from, at)) tokens += tokenCount
      else unknownCount += markNew(from, at)
    }
    return { knownShare: all === 0 ? 1 : share(tokens, all, 2), unknownCount }
  }

  /**
   * Returns the word worth teaching in the clip of the last call of `fit`: of its new words, one of
   * the lowest level, by the rules for focus words. Null if all are known.
   */
  newWord(): TaughtWord {
    const rowAt = (place: number) => this.#words.rowOf(this.#first + terms.words[place]!)
    const levelAt = (place: number) => this.#words.levels[rowAt(place)]!
    let lowest = Infinity
    for (let place = 0; place < terms.termCount; place++)
      if (kinds[place] === isNew) lowest = Math.min(lowest, levelAt(place))
    let best: (Candidate & NonNullable<TaughtWord>) | null = null
    while (terms.nextFirst()) {
      const { place, occurrenceCount, tStartMs } = terms
      if (kinds[place] !== isNew || levelAt(place) !== lowest) continue
      const row = rowAt(place)
      const [clipCount, wordId] = [this.#words.clipCount(row), this.#words.wordId(row)]
      const candidate = { row, tStartMs, occurrenceCount, clipCount, wordId }
      if (!best || isBetterFocus(candidate, best)) best = candidate
    }
    return best
  }
}

/** Whether a term of a group is known. Its terms are in `groups` from `from` to `to`. */
function hasKnown(from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (kinds[terms.groups[i]!] === known) return true
  return false
}

/** Marks the terms of a group as new. Returns how many were not. */
function markNew(from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) {
    const place = terms.groups[i]!
    if (kinds[place] === isNew) continue
    kinds[place] = isNew
    count++
  }
  return count
}
