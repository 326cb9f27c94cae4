import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { TextAnalyser } from '#language/analysers/analyser.ts'
import type { TokenWord } from '#language/analysers/token-word.ts'
import type { TokenisedCue } from './tokenise.ts'

/**
 * The headwords by another way to write them, which the analyser takes for the normal one: きれい and
 * 綺麗 are 奇麗, so that a catalogue that has any of them finds all.
 */
export type Variants = ReadonlyMap<string, readonly string[]>

export function variantsOf(words: readonly CatalogueWord[], analyser: TextAnalyser): Variants {
  const variants = new Map<string, string[]>()
  for (const [i, found] of analyser.analyse(words.map(({ word }) => word)).entries()) {
    const { word } = words[i]!
    const [lemma, ...others] = found[0]?.lemmas ?? []
    if (found.length !== 1 || found[0]!.end !== word.length || lemma !== word) continue
    for (const other of others.filter((lemma) => japanese.test(lemma)))
      variants.getOrInsertComputed(other, () => []).push(word)
  }
  return variants
}

const japanese = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u
const kana = /^[\p{Script=Hiragana}ー]{2,}$/u

/**
 * Adds to the words of each token the headwords that are other ways to write them. Tokens that are
 * said as they are spelled get a word of their own if they have such headwords or are in kana, and
 * so may be a reading.
 */
export function completeWords(cues: readonly TokenisedCue[], variants: Variants): void {
  for (const { tokens } of cues) {
    for (const token of tokens) {
      const { text } = token
      const words = token.words ?? (kana.test(text) || variants.has(text) ? [spelledWord(text)] : [])
      if (words.length > 0) token.words = words.map((word) => withVariants(word, variants))
    }
  }
}

function spelledWord(text: string): TokenWord {
  return { length: 1, lemmas: [text], isFunctionWord: false }
}

function withVariants(word: TokenWord, variants: Variants): TokenWord {
  const others = word.isFunctionWord ? [] : word.lemmas.flatMap((lemma) => variants.get(lemma) ?? [])
  return others.length === 0 ? word : { ...word, lemmas: [...word.lemmas, ...others] }
}
