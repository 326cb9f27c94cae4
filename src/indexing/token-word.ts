/** What an analyser says of a token: a word that begins in it. */
export interface TokenWord {
  /** How many tokens it reaches over. */
  length: number
  /** What the catalogue may call it, likeliest first. */
  lemmas: readonly string[]
  isFunctionWord: boolean
  /** Its text, where that is not the token's; empty where it is not known any more. */
  spelling?: string
}
