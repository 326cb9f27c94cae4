import { searchFold } from './search-fold.ts'

/** Katakana from ァ to ヶ, of which each has its hiragana 96 places before. */
const katakana = /[\u30a1-\u30f6]/g

/**
 * Text as other spellings are compared (contract 1.6): folded as search folds it, with katakana as
 * hiragana, full width as half width (NFKC), and in Turkish ı as i, which many keyboards lack.
 *
 * @example spellingFold('タベル', 'ja') // 'たべる'
 * @example spellingFold('kız', 'tr') // 'kiz'
 */
export function spellingFold(text: string, language: string): string {
  const folded = searchFold(text.normalize('NFKC'), language)
  const kana = folded.replace(katakana, (sign) => String.fromCharCode(sign.charCodeAt(0) - 96))
  return language === 'tr' ? kana.replaceAll('ı', 'i') : kana
}
