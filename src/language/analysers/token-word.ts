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
