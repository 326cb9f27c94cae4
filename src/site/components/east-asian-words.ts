import { eastAsianLanguage } from './text-language.ts'

/** Matches a word in an East Asian script, in a group of its own. */
export const eastAsianWord = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+)/u

/** A mention of a language: its name or its kana. */
const mention = /(Japanese|[\p{Script=Hiragana}\p{Script=Katakana}])|Chinese|pinyin/gu

/**
 * Returns the language of an East Asian word in a text. A word of only Chinese characters has the
 * language that the text mentions last before the word or, if there is none, first after it.
 */
export function languageOfWord(word: string, text: string): string | undefined {
  const index = text.indexOf(word)
  const mentions = [...text.matchAll(mention)]
  const [, japanese] = mentions.findLast((each) => each.index < index) ?? mentions[0] ?? []
  return eastAsianLanguage(word, japanese === undefined ? 'zh' : 'ja')
}
