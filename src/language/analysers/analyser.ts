/** A word that an analyser finds in a text: more than a token tells by its letters. */
export interface AnalysedWord {
  /** Where it stands in the text, in UTF-16 units. */
  start: number
  end: number
  /** What a catalogue may call it, likeliest first: dictionary form, normalised form. */
  lemmas: readonly string[]
  /** Whether it is a particle or an auxiliary, which has no meaning of its own. */
  isFunctionWord: boolean
}

/** What tells the words of a language by more than their spelling. */
export interface Analyser {
  /**
   * The words of each text, in order. A clip is analysed at once: an analyser may be in another
   * thread.
   */
  analyse(texts: readonly string[]): AnalysedWord[][]
}

/** What an analyser may know of the catalogue of its language. */
export interface Vocabulary {
  headwords: readonly string[]
  /** Whether a text is spelled as a headword or a listed form, ignoring case. */
  has(text: string): boolean
}
