import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { caseKey } from '#language/lower-case.ts'
import type { Analyser, TokenWord } from '#language/analysers/analyser.ts'
import type { TokenisedCue } from './tokenise.ts'

/*
 * An analyser that knows texts, not the catalogue, can take a headword for something else. What it
 * says of the headwords themselves tells how they are found all the same.
 */

export interface OwnSpellings {
  /**
   * Headwords by another way to write them, which the analyser takes for the normal one: きれい and
   * 綺麗 are 奇麗, so that a catalogue that has any of them finds all.
   */
  variants: ReadonlyMap<string, readonly string[]>
  /**
   * Headwords that are forms of others for the analyser, so that only their spelling finds them.
   */
  others: ReadonlySet<string>
}

export const noSpellings: OwnSpellings = { variants: new Map(), others: new Set() }

export function ownSpellings(
  language: string,
  words: readonly CatalogueWord[],
  analyser: Analyser,
): OwnSpellings {
  const headwords = new Set(words.map(({ word }) => caseKey(word, language)))
  const variants = new Map<string, string[]>()
  const others = new Set<string>()
  const found =
    'analyse' in analyser
      ? analyser.analyse(words.map(({ word }) => word))
      : words.map(({ word }) => analyser.wordsOf([{ text: word }], word)[0] ?? [])
  for (const [i, said] of found.entries()) {
    const { word } = words[i]!
    const named = said.map(({ lemmas }) => lemmas.find((lemma) => headwords.has(caseKey(lemma, language))))
    if (said.length > 0 && !named.includes(word)) others.add(caseKey(word, language))
    const [lemma, ...written] = said[0]?.lemmas ?? []
    if (said.length !== 1 || lemma !== word) continue
    for (const other of written.filter((each) => japanese.test(each)))
      variants.getOrInsertComputed(other, () => []).push(word)
  }
  return { variants, others }
}

const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const kana = /^[\p{Script=Hiragana}ー]{2,}$/u

/**
 * Adds to the words of each token the headwords that are other ways to write them, and the headword
 * that is spelled so. Tokens in kana that are said as they are spelled get a word of their own:
 * they may be a reading.
 */
export function addSpellings(
  cues: readonly TokenisedCue[],
  language: string,
  { variants, others }: OwnSpellings,
): void {
  for (const token of cues.flatMap(({ tokens }) => tokens)) {
    const { text } = token
    const words = token.words ?? (kana.test(text) || variants.has(text) ? [spelledWord(text)] : [])
    if (words.length === 0) continue
    const all = words.map((word) => withVariants(word, variants))
    token.words = others.has(caseKey(text, language)) ? [...all, spelledWord(text)] : all
  }
}

function spelledWord(text: string): TokenWord {
  return { length: 1, lemmas: [text], isFunctionWord: false }
}

function withVariants(word: TokenWord, variants: OwnSpellings['variants']): TokenWord {
  const others = word.isFunctionWord ? [] : word.lemmas.flatMap((lemma) => variants.get(lemma) ?? [])
  return others.length === 0 ? word : { ...word, lemmas: [...word.lemmas, ...others] }
}
