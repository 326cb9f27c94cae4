import { caseKey, isPlain } from './lower-case.ts'
import { stripPunctuation } from './match-key.ts'

const marksAfterAlphabetic = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu
/** None of these has a diacritic. */
const ascii = /^[ -~]*$/

/**
 * Returns text as search compares it: without case, and without the diacritics of Latin, Greek and
 * Cyrillic letters. Letters that do not consist of a base and a mark do not change (ø, ł, ß, ı),
 * nor do the marks of other scripts (が).
 *
 *     searchFold('Élève', 'fr') // 'eleve'
 */
export function searchFold(text: string, language: string): string {
  const key = caseKey(text, language)
  if (ascii.test(key)) return key
  return key.normalize('NFD').replace(marksAfterAlphabetic, '$1').normalize('NFC')
}

/** Katakana from ァ to ヶ. The hiragana for each is 96 code points before it. */
const katakana = /[\u30a1-\u30f6]/g

/**
 * Converts katakana to hiragana; the long vowel mark stays.
 *
 *     toHiragana('コーヒー') // 'こーひー'
 */
export function toHiragana(text: string): string {
  return text.replace(katakana, (sign) => String.fromCharCode(sign.charCodeAt(0) - 96))
}

const ligatures: Readonly<Record<string, string>> = { œ: 'oe', æ: 'ae', ß: 'ss' }

/**
 * Folds text as other spellings are compared (contract 1.6): as search folds it, with katakana as
 * hiragana, full width as half width (NFKC), hyphen as space, œ, æ and ß as two letters, and in
 * Turkish ı as i, which many keyboards lack.
 *
 *     spellingFold('タベル', 'ja') // 'たべる'
 *     spellingFold('kız', 'tr') // 'kiz'
 */
export function spellingFold(text: string, language: string): string {
  if (isPlain(text)) return text
  const foldedText = toHiragana(searchFold(text.normalize('NFKC'), language)).replace(
    /[œæß]/g,
    (letter) => ligatures[letter]!,
  )
  const spacedText = hyphensAsSpaces(foldedText)
  return language === 'tr' ? spacedText.replaceAll('ı', 'i') : spacedText
}

/**
 * Replaces hyphens by spaces.
 *
 *     hyphensAsSpaces('mother-in-law') // 'mother in law'
 */
export function hyphensAsSpaces(text: string): string {
  return text.replace(/[\s\-‐‑]+/g, ' ')
}

/**
 * Returns all foldings of a spelling: in German, also with ä, ö and ü as ae, oe and ue.
 *
 *     spellingFolds('Bär', 'de') // ['bar', 'baer']
 */
export function spellingFolds(text: string, language: string): string[] {
  const plain = spellingFold(text, language)
  if (language !== 'de') return [plain]
  const spelledOut = text.normalize('NFKC').replace(/[äöü]/gi, '$&e')
  return [...new Set([plain, spellingFold(spelledOut, language)])]
}

/**
 * Returns a folded spelling without the punctuation around its parts, for comparing names.
 *
 *     bareSpelling("rock 'n' roll") // 'rock n roll'
 */
export function bareSpelling(foldedText: string): string {
  if (isPlain(foldedText)) return foldedText
  const parts = foldedText.split(' ').map(stripPunctuation)
  return parts.filter((part) => part !== '').join(' ')
}
