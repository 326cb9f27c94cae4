import { caseKey } from '../lower-case.ts'
import type { TokenAnalyser, TokenWord } from './analyser.ts'

/** The tokens before and after a token, in lower case; empty at the ends of a cue. */
export interface Neighbours {
  before: string
  after: string
  /** Whether the token has a capital letter inside a sentence. */
  isName: boolean
  /** Whether no letter of the clip has a mark. */
  isUnmarked: boolean
}

const capitalisedWord = /^\p{Lu}\p{Ll}/u

/**
 * Creates an analyser from a function that returns the words that a token may be, the likeliest
 * first, each as its lemmas.
 */
export function byToken(
  language: string,
  lemmasOf: (token: string, neighbours: Neighbours) => readonly (readonly string[])[],
): TokenAnalyser {
  return {
    wordsOf(tokens, _, isUnmarked = false) {
      const keys = tokens.map(({ text }) => caseKey(text, language))
      const neighboursOf = (i: number) => ({
        before: keys[i - 1] ?? '',
        after: keys[i + 1] ?? '',
        isName: i > 0 && !tokens[i]!.startsSentence && capitalisedWord.test(tokens[i]!.text),
        isUnmarked,
      })
      return tokens.map(({ text }, i) => tokenWords(lemmasOf(text, neighboursOf(i))))
    },
  }
}

/** Returns the words of a token, each with its lemmas; undefined if there are none. */
export function tokenWords(words: readonly (readonly string[])[]): TokenWord[] | undefined {
  if (words.length === 0) return undefined
  return words.map((lemmas) => ({ length: 1, lemmas, isFunctionWord: false }))
}
