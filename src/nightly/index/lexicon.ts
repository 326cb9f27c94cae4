import { levelRank } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { caseKey } from '#language/lower-case.ts'
import { matchKey } from '#language/match-key.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { digitSpellings } from '#language/spellings/numerals.ts'
import { cacheByText } from '#language/cache-by-text.ts'
import { commonlyInKana, isReading, isShortReading } from '#language/analysers/kana-readings.ts'

/** A catalogue word that has a key. */
export interface Entry {
  word: CatalogueWord
  /** Whether the key is that of the headword, not of an inflected form. */
  headword: boolean
  /** Whether the key is the reading of a headword in kanji. */
  reading: boolean
}

/** What the catalogue has for a text, and the keys of the text. */
export interface Spelling {
  text: string
  /** By `matchKey` and `caseKey`. */
  key: string
  caseKey: string
  /** The words that it is the headword or a form of. */
  entries: readonly Entry[]
  /** What it may be in a phrase: its key and, between spaces, those of the headwords of a form. */
  keys: readonly string[]
  /** Those of the keys at which a phrase may grow: none of most texts. */
  growingKeys: readonly string[]
}

/** The catalogue of one language, by the spellings of its words in speech. */
export class Lexicon {
  readonly language: string
  /** Whether a headword also matches tokens that spell it when joined without a space. */
  readonly joins: boolean
  readonly #hasAnalysers: boolean
  readonly #entries = new Map<string, Entry[]>()
  /** Every prefix of a key at which a run of tokens may grow. */
  readonly #prefixes = new Set<string>()
  /** The words in kanji by their readings in kana. */
  readonly #readings = new Map<string, CatalogueWord[]>()
  /** What the catalogue has for the text of a token: to make that takes ten look-ups' time. */
  readonly spelling = cacheByText((text) => this.#spell(text))

  /**
   * Without analysers, a phrase is matched as it is spelled, not through the forms of its words.
   */
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
    const growing = keys.filter((each) => this.grows(each))
    return { text, key, caseKey: caseKey(text, this.language), entries, keys, growingKeys: growing }
  }

  /** The words that a key is the headword or a form of. */
  entries(key: string): readonly Entry[] {
    return this.#entries.get(key) ?? []
  }

  /**
   * The words in kanji that a word of at least two kana, as an analyser found it, may be a reading
   * of: the one that is commonly written so, else those of the lowest level.
   */
  readings(kana: string): readonly Entry[] {
    const readings = kana.length > 1 ? (this.#readings.get(kana) ?? []) : []
    const lowest = Math.min(...readings.map(({ level }) => levelRank(level)))
    const common = readings.filter(({ word }) => commonlyInKana.get(kana) === word)
    const likely = common.length > 0 ? common : readings.filter(({ level }) => levelRank(level) === lowest)
    return likely.map((word) => ({ word, headword: false, reading: true }))
  }

  /** Whether a longer key begins with this one, so that further tokens may complete it. */
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
