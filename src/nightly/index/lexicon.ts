import { levelRank } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { caseKey } from '#language/lower-case.ts'
import { matchKey } from '#language/match-key.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { digitSpellings } from '#language/spellings/numerals.ts'
import { cacheByText } from '#language/cache-by-text.ts'
import { commonlyInKana, isReading, isShortReading } from '#language/analysers/kana-readings.ts'

/** A catalogue word with a key. */
export interface Entry {
  word: CatalogueWord
  /** Whether the key belongs to the headword, not to an inflected form. */
  headword: boolean
  /** Whether the key is the reading of a headword in kanji. */
  reading: boolean
}

/** The catalogue's entries for a text, and the keys of the text. */
export interface Spelling {
  text: string
  /** Built by `matchKey` and `caseKey`. */
  key: string
  caseKey: string
  /** The words of which it is the headword or a form. */
  entries: readonly Entry[]
  /** The text in a phrase: its key and, between spaces, those of the headwords of a form. */
  keys: readonly string[]
}

/** The catalogue of one language, by the spellings of its words in speech. */
export class Lexicon {
  readonly language: string
  /** Whether a headword also matches tokens that spell it when they are joined without a space. */
  readonly joins: boolean
  readonly #hasAnalysers: boolean
  readonly #entries = new Map<string, Entry[]>()
  /** Every prefix of a key that further tokens may complete. */
  readonly #prefixes = new Set<string>()
  /** The words in kanji, keyed by their readings in kana. */
  readonly #readings = new Map<string, CatalogueWord[]>()
  /** The spelling of a text, cached because it takes as long as ten look-ups. */
  readonly spelling = cacheByText((text) => this.#spell(text))

  /** Without analysers, a phrase is matched by its spelling, not through the forms of its words. */
  constructor(language: string, words: readonly CatalogueWord[], hasAnalysers = true) {
    this.language = language
    this.#hasAnalysers = hasAnalysers
    this.joins = isUnspaced(language)
    for (const word of words) {
      const headwordKey = matchKey(word.word, language)
      this.#add(headwordKey, { word, headword: true, reading: false })
      const spellings = [...word.forms, ...digitSpellings(word.word, language)]
      const forms = new Set(spellings.map((form) => matchKey(form, language)))
      forms.delete(headwordKey)
      for (const key of forms) {
        const reading = this.joins && isReading(key, word.word)
        if (reading) this.#readings.getOrInsertComputed(key, () => []).push(word)
        if (!reading || !isShortReading(key, word.word)) this.#add(key, { word, headword: false, reading })
      }
    }
  }

  #spell(text: string): Spelling {
    const key = matchKey(text, this.language)
    const entries = this.entries(key)
    const formOf = this.joins || !this.#hasAnalysers ? [] : entries.filter(({ headword }) => !headword)
    const keys = [...new Set([key, ...formOf.map(({ word }) => matchKey(word.word, this.language))])]
    return { text, key, caseKey: caseKey(text, this.language), entries, keys }
  }

  /** Returns the words of which a key is the headword or a form. */
  entries(key: string): readonly Entry[] {
    return this.#entries.get(key) ?? []
  }

  /**
   * Returns the words in kanji that may have an analyser's word, of at least two kana, as their
   * reading: the one that is commonly written in kana, or those of the lowest level.
   */
  readings(kana: string): readonly Entry[] {
    const readings = kana.length > 1 ? (this.#readings.get(kana) ?? []) : []
    const lowest = Math.min(...readings.map(({ level }) => levelRank(level)))
    const common = readings.filter(({ word }) => commonlyInKana.get(kana) === word)
    const likely = common.length > 0 ? common : readings.filter(({ level }) => levelRank(level) === lowest)
    return likely.map((word) => ({ word, headword: false, reading: true }))
  }

  /** Whether a longer key starts with this one, so that further tokens may complete it. */
  grows(key: string): boolean {
    return this.#prefixes.has(key)
  }

  #add(key: string, entry: Entry): void {
    if (key === '') return
    this.#entries.getOrInsertComputed(key, () => []).push(entry)
    for (let end = 1; end < key.length; end++) {
      if (this.joins || key[end] === ' ') this.#prefixes.add(key.slice(0, end))
    }
  }
}
