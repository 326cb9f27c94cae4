/** A word that an analyser finds in a text. */
export interface AnalysedWord {
  /** The position in the text, in UTF-16 units. */
  start: number
  end: number
  /** Possible headwords, most likely first: dictionary form, normalised form. */
  lemmas: readonly string[]
  /** Whether it is a particle or an auxiliary, which has no meaning of its own. */
  isFunctionWord: boolean
}

/** The reading of a part of a text: hiragana in Japanese, pinyin with tone marks in Chinese. */
export interface Reading {
  /** The part's position in the text, in UTF-16 units. */
  start: number
  end: number
  reading: string
}

/** The words of a text and, if requested, its readings, both in order. */
export interface TextAnalysis {
  words: AnalysedWord[]
  readings: Reading[]
}

/** Finds words in texts, for languages that are written without spaces. */
export interface TextAnalyser {
  /** Analyses texts: all of a clip in one call, because an analyser may run in another thread. */
  analyse(texts: readonly string[], withReadings?: boolean): TextAnalysis[]
}

/** A word that an analyser found, and that starts in a token. */
export interface TokenWord {
  /** The number of tokens that it covers. */
  length: number
  /** Possible headwords, most likely first. */
  lemmas: readonly string[]
  isFunctionWord: boolean
  /** Its text, if it is not exactly one token; empty in stored words. */
  spelling?: string
  /** Whether the last of several tokens continues after it: 实际上 in 实际|上有. */
  endsInside?: boolean
}

/** A token of a cue, as its analyser gets it. */
export interface SpokenToken {
  /** As spoken, without the punctuation around it. */
  text: string
  /** Whether a sentence ends between the previous token and this one. */
  startsSentence?: boolean
}

/** Finds words in the tokens of a cue, for languages that are written with spaces. */
export interface TokenAnalyser {
  /**
   * Returns the words that start in each token of a text; undefined for a token whose spelling
   * decides. `isUnmarked` means that no letter of the clip has a mark, so that the marks may have
   * been left out when it was written.
   */
  wordsOf(
    tokens: readonly SpokenToken[],
    text: string,
    isUnmarked?: boolean,
  ): (readonly TokenWord[] | undefined)[]
}

export type Analyser = TextAnalyser | TokenAnalyser

/** The catalogue of a language, as its analyser gets it. */
export interface Vocabulary {
  headwords: readonly string[]
  /** Whether a text is the spelling of a headword or a listed form, ignoring case. */
  has(text: string): boolean
}
