import type { TokenWord } from '#language/analysers/analyser.ts'
import type { Token, TokenisedCue } from './tokenise.ts'

/** The words that an analyser found in a clip, as the state keeps them. */
export interface KeptWords {
  analyser: string
  /** By cue and token; null where the spelling of the token decides. */
  words: (readonly TokenWord[] | null)[][]
}

/** The words to keep of the tokens of a clip: what matching needs of them. */
export function wordsToKeep(cues: readonly TokenisedCue[]): KeptWords['words'] {
  return cues.map(({ tokens }) => {
    const kept = tokens.map(toKeep)
    for (const [t, words] of kept.entries()) {
      const end = t + Math.max(0, ...(words ?? []).map(({ length }) => length))
      // Tokens inside a word have none.
      for (let i = t + 1; i < end && i < kept.length; i++) kept[i] ??= []
    }
    return kept
  })
}

function toKeep({ text, words = [] }: Token): readonly TokenWord[] | null {
  const kept = words.map((word) => wordToKeep(word, text))
  return kept.every((word) => isSpelling(word, text)) ? null : kept
}

/** With the text of its token as its last lemma, or without text if it is not exactly a token. */
function wordToKeep({ length, lemmas, isFunctionWord, spelling }: TokenWord, text: string): TokenWord {
  if (spelling !== undefined) return { length, lemmas, isFunctionWord, spelling: '' }
  const isLast = length === 1 && lemmas.at(-1) === text
  return { length, lemmas: isLast ? lemmas : [...lemmas, text], isFunctionWord }
}

/**
 * Whether a word says no more than the spelling of its token. Particles of one letter match nothing
 * by reading.
 */
function isSpelling({ length, lemmas, isFunctionWord, spelling }: TokenWord, text: string): boolean {
  const isAlone = length === 1 && spelling === undefined && lemmas.every((lemma) => lemma === text)
  return isAlone && (!isFunctionWord || text.length === 1)
}

/** Gives the tokens of a clip the words that were kept. */
export function restoreWords(cues: readonly TokenisedCue[], kept: KeptWords['words']): void {
  for (const [c, { tokens }] of cues.entries())
    for (const [t, token] of tokens.entries()) {
      const words = kept[c]?.[t]
      if (words) token.words = words
      else delete token.words
    }
}
