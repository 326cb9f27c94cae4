import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { byCodePoint } from '#kit/code-points.ts'
import { caseKey } from '#language/lower-case.ts'
import { withoutPoints } from '#language/match-key.ts'
import { otherScript, pinyinOf } from '#language/spellings/chinese.ts'
import { romajiOf } from '#language/spellings/japanese.ts'

/**
 * What a learner may type for a word besides its headword (contract 1.6): its forms, its reading in
 * romaji or pinyin, the other Chinese script, and Arabic and Hebrew without vowel points.
 */
export function otherSpellings(
  { word, forms, language }: CatalogueWord,
  generated: readonly string[],
): string[] {
  const plain = withoutPoints(word)
  const written = [...forms, ...generated, ...(plain === word ? [] : [plain])]
  if (language === 'ja') return [...written, ...[word, ...forms].flatMap(romajiOf)]
  if (language === 'zh') return [...written, ...pinyinOf(word), ...otherScript(word)]
  return written
}

/**
 * The forms that a word is heard in and that the catalogue does not list, by code point: in small
 * letters if the headword is, else as spoken. Of forms that differ in case only, the last by code
 * point is taken: Häuser, not HÄUSER.
 *
 *     heardForms({ word: 'go', … }, ['Went', 'Go', 'went']) // ['went']
 */
export function heardForms(
  { word, forms, language }: Pick<CatalogueWord, 'word' | 'forms' | 'language'>,
  heard: Iterable<string>,
): string[] {
  const known = new Set([word, ...forms].map((spelling) => caseKey(spelling, language)))
  const small = (text: string) => text.toLocaleLowerCase(language)
  const isSmall = small(word) === word
  const byKey = new Map<string, string>()
  for (const form of heard) {
    const key = caseKey(form, language)
    if (known.has(key)) continue
    const shown = (isSmall ? small(form) : form).normalize('NFC')
    if (byCodePoint(shown, byKey.get(key) ?? '') > 0) byKey.set(key, shown)
  }
  return [...byKey.values()].sort(byCodePoint)
}
