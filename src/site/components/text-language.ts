/** The languages of a response's texts: that of its clips and words, and that of its meanings. */
export interface TextLanguages {
  language: string
  gloss: string
}

/**
 * Returns the language of a text in an East Asian script, for which a browser chooses the font;
 * undefined for other texts. Kana and Hangul belong to one language, Chinese characters to several:
 * they are taken to be in `language`.
 */
export function eastAsianLanguage(text: string, language: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja'
  if (/\p{Script=Hangul}/u.test(text)) return 'ko'
  return /\p{Script=Han}/u.test(text) ? language : undefined
}
