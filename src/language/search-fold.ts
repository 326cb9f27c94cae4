import { caseKey, isPlain } from './lower-case.ts'

const marksAfterAlphabetic = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu
/** None of these has a diacritic. */
const ascii = /^[ -~]*$/

/**
 * Text as search compares it: without case, and without the diacritics of Latin, Greek and Cyrillic
 * letters. Letters that are not a base and a mark stay what they are (ø, ł, ß, ı), and so do the
 * marks of other scripts (が).
 *
 *     searchFold('Élève', 'fr') // 'eleve'
 */
export function searchFold(text: string, language: string): string {
  if (isPlain(text)) return text
  const key = caseKey(text, language)
  if (ascii.test(key)) return key
  return key.normalize('NFD').replace(marksAfterAlphabetic, '$1').normalize('NFC')
}
