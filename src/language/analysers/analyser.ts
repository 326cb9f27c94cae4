/** A word that an analyser finds in a text. */
export interface AnalysedWord {
  /** Where it stands in the text, in UTF-16 units. */
  start: number
  end: number
  /** Possible headwords, most likely first: dictionary form, normalised form. */
  lemmas: readonly string[]
  /** Whether it is a particle or an auxiliary, which has no meaning of its own. */
  isFunctionWord: boolean
}

/** Finds the words of a language in inflected and unspaced text. */
export interface Analyser {
  /**
   * Gives the words of each text, in order. The texts of a clip go in one call, because an analyser
   * may run in another thread.
   */
  analyse(texts: readonly string[]): AnalysedWord[][]
}

/** The catalogue of a language, as its analyser sees it. */
export interface Vocabulary {
  headwords: readonly string[]
  /** Whether a text is spelled as a headword or a listed form, ignoring case. */
  has(text: string): boolean
}
