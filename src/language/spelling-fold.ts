import { searchFold } from './search-fold.ts'

/** Katakana from ァ to ヶ. The hiragana of each is 96 places before it. */
const katakana = /[\u30a1-\u30f6]/g

/**
 * Folds text as other spellings are compared (contract 1.6): as search folds it, with katakana as
 * hiragana, full width as half width (NFKC), and in Turkish ı as i, which many keyboards lack.
 *
 *     spellingFold('タベル', 'ja') // 'たべる'
 *     spellingFold('kız', 'tr') // 'kiz'
 */
export function spellingFold(text: string, language: string): string {
  const folded = searchFold(text.normalize('NFKC'), language)
  const kana = folded.replace(katakana, (sign) => String.fromCharCode(sign.charCodeAt(0) - 96))
  return language === 'tr' ? kana.replaceAll('ı', 'i') : kana
}
