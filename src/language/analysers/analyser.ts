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

/** The reading of a part of a text: hiragana in Japanese, pinyin with tone marks in Chinese. */
export interface Reading {
  /** The part's position in the text, in UTF-16 units. */
  start: number
  end: number
  reading: string
}

/** The words of a text and, if they were asked for, its readings, both in order. */
export interface TextAnalysis {
  words: AnalysedWord[]
  readings: Reading[]
}

/** Finds words in texts, for languages that are written without spaces. */
export interface TextAnalyser {
  /**
   * Analyses each text. The texts of a clip go in one call, because an analyser may run in another
   * thread.
   */
  analyse(texts: readonly string[], withReadings?: boolean): TextAnalysis[]
}

/** A word that an analyser found, and that begins in a token. */
export interface TokenWord {
  /** How many tokens it covers. */
  length: number
  /** Possible headwords, most likely first. */
  lemmas: readonly string[]
  isFunctionWord: boolean
  /** Its text, if it is not exactly one token; empty in words that were kept. */
  spelling?: string
}

/** A token of a cue, as its analyser sees it. */
export interface SpokenToken {
  /** As spoken, without the punctuation around it. */
  text: string
  /** A sentence ends between the token before and this one. */
  startsSentence?: boolean
}

/** Finds words in the tokens of a cue, for languages that are written with spaces. */
export interface TokenAnalyser {
  /**
   * Gives the words that begin in each token of a text; undefined where the spelling of the token
   * decides. `isUnmarked` says that no letter of the clip has a mark: it may be typed without.
   */
  wordsOf(
    tokens: readonly SpokenToken[],
    text: string,
    isUnmarked?: boolean,
  ): (readonly TokenWord[] | undefined)[]
}

export type Analyser = TextAnalyser | TokenAnalyser

/** The catalogue of a language, as its analyser sees it. */
export interface Vocabulary {
  headwords: readonly string[]
  /** Whether a text is spelled as a headword or a listed form, ignoring case. */
  has(text: string): boolean
}
