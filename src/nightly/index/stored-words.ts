import type { TokenWord } from '#language/analysers/analyser.ts'
import type { Token, TokenisedCue } from './tokenise.ts'

/** The words that an analyser found in a clip, as the ledger stores them. */
export interface StoredWords {
  analyser: string
  /** The words by cue and token; null if the spelling of the token decides. */
  words: (readonly TokenWord[] | null)[][]
}

/** Returns the data about the words of a clip's tokens that matching needs. */
export function wordsToStore(cues: readonly TokenisedCue[]): StoredWords['words'] {
  return cues.map(({ tokens }) => {
    const cueWords = tokens.map(wordsOfToken)
    for (const [t, words] of cueWords.entries()) {
      const end = t + Math.max(0, ...(words ?? []).map(({ length }) => length))
      // Tokens inside a word have none.
      for (let i = t + 1; i < end && i < cueWords.length; i++) cueWords[i] ??= []
    }
    return cueWords
  })
}

function wordsOfToken({ text, words = [] }: Token): readonly TokenWord[] | null {
  const storedWords = words.map((word) => storedWord(word, text))
  return storedWords.every((word) => isSpelling(word, text)) ? null : storedWords
}

/** Returns a word with the text of its token as its last lemma, if it is exactly a token. */
function storedWord({ length, lemmas, isFunctionWord, spelling }: TokenWord, text: string): TokenWord {
  if (spelling !== undefined) return { length, lemmas, isFunctionWord, spelling: '' }
  const isLast = length === 1 && lemmas.at(-1) === text
  return { length, lemmas: isLast ? lemmas : [...lemmas, text], isFunctionWord }
}

/** Whether a word adds nothing to the spelling of its token, like particles of one letter. */
function isSpelling({ length, lemmas, isFunctionWord, spelling }: TokenWord, text: string): boolean {
  const isAlone = length === 1 && spelling === undefined && lemmas.every((lemma) => lemma === text)
  return isAlone && (!isFunctionWord || text.length === 1)
}

export function restoreWords(cues: readonly TokenisedCue[], storedWords: StoredWords['words']): void {
  for (const [c, { tokens }] of cues.entries())
    for (const [t, token] of tokens.entries()) {
      const words = storedWords[c]?.[t]
      if (words) token.words = words
      else delete token.words
    }
}
