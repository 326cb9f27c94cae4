import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { caseKey } from '#language/lower-case.ts'
import type { Analyser, TokenWord } from '#language/analysers/analyser.ts'
import { endsInside } from './match-runs.ts'
import type { TokenisedCue } from './tokenise.ts'

/*
 * An analyser does not know the catalogue, so it can mistake a headword for another word. Its
 * analysis of the headwords shows how to find them in spite of that.
 */

export interface HeadwordSpellings {
  /**
   * Maps the spelling that the analyser considers normal to headwords. That of きれい and 綺麗 is
   * 奇麗, so a catalogue with any of the three finds all of them.
   */
  variants: ReadonlyMap<string, readonly string[]>
  /** Headwords that the analyser mistakes for forms of others. Only their spelling finds them. */
  others: ReadonlySet<string>
}

export const noSpellings: HeadwordSpellings = { variants: new Map(), others: new Set() }

export function headwordSpellings(
  language: string,
  words: readonly CatalogueWord[],
  analyser: Analyser,
): HeadwordSpellings {
  const headwords = new Set(words.map(({ word }) => caseKey(word, language)))
  const variants = new Map<string, string[]>()
  const others = new Set<string>()
  const analyses =
    'analyse' in analyser
      ? analyser.analyse(words.map(({ word }) => word)).map((analysis) => analysis.words)
      : words.map(({ word }) => analyser.wordsOf([{ text: word }], word)[0] ?? [])
  for (const [i, analysedWords] of analyses.entries()) {
    const { word } = words[i]!
    const lemmas = analysedWords.map(({ lemmas }) =>
      lemmas.find((lemma) => headwords.has(caseKey(lemma, language))),
    )
    if (analysedWords.length > 0 && !lemmas.includes(word)) others.add(caseKey(word, language))
    const [lemma, ...otherLemmas] = analysedWords[0]?.lemmas ?? []
    // The particle で is no じゃ.
    if (analysedWords.length !== 1 || lemma !== word || analysedWords[0]!.isFunctionWord) continue
    for (const other of otherLemmas.filter((each) => japanese.test(each)))
      variants.getOrInsertComputed(other, () => []).push(word)
  }
  return { variants, others }
}

const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const kana = /^[\p{Script=Hiragana}ー]{2,}$/u

/**
 * Adds to the words of each token the headwords that are other spellings of them, and the headword
 * with its spelling. Tokens in kana get their own word, because they may be a reading.
 */
export function addSpellings(
  cues: readonly TokenisedCue[],
  language: string,
  { variants, others }: HeadwordSpellings,
): void {
  for (const token of cues.flatMap(({ tokens }) => tokens)) {
    const { text } = token
    const words = token.words ?? (kana.test(text) || variants.has(text) ? [spelledWord(text)] : [])
    if (words.length === 0) continue
    const all = words.map((word) => withVariants(word, variants))
    const isItself = others.has(caseKey(text, language)) && !endsInside(words)
    token.words = isItself ? [...all, spelledWord(text)] : all
  }
}

function spelledWord(text: string): TokenWord {
  return { length: 1, lemmas: [text], isFunctionWord: false }
}

function withVariants(word: TokenWord, variants: HeadwordSpellings['variants']): TokenWord {
  const others = word.isFunctionWord ? [] : word.lemmas.flatMap((lemma) => variants.get(lemma) ?? [])
  return others.length === 0 ? word : { ...word, lemmas: [...word.lemmas, ...others] }
}
