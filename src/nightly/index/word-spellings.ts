import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { byCodePoint } from '#kit/code-points.ts'
import { caseKey } from '#language/lower-case.ts'
import { withoutPoints } from '#language/match-key.ts'
import { otherScript, pinyinOf } from '#language/spellings/chinese.ts'
import { romajiOf } from '#language/spellings/japanese.ts'

/**
 * Returns the spellings that a learner may type for a word besides its headword (contract 1.6): its
 * forms, romaji or pinyin, the other Chinese script, and Arabic and Hebrew without vowel points.
 */
export function otherSpellings(
  { word, forms, language }: CatalogueWord,
  generatedForms: readonly string[],
): string[] {
  const plain = withoutPoints(word)
  const spellings = [...forms, ...generatedForms, ...(plain === word ? [] : [plain])]
  if (language === 'ja') return [...spellings, ...[word, ...forms].flatMap(romajiOf)]
  if (language === 'zh') return [...spellings, ...pinyinOf(word), ...otherScript(word)]
  return spellings
}

/**
 * Returns the forms in which a word is spoken and which the catalogue does not list, by code point:
 * in lower case if the headword is, otherwise as spoken. Of forms that differ only in case, the
 * last by code point is used: Häuser, not HÄUSER.
 *
 *     unlistedForms({ word: 'go', … }, ['Went', 'Go', 'went']) // ['went']
 */
export function unlistedForms(
  { word, forms, language }: Pick<CatalogueWord, 'word' | 'forms' | 'language'>,
  spokenForms: Iterable<string>,
): string[] {
  const listedKeys = new Set([word, ...forms].map((spelling) => caseKey(spelling, language)))
  const toLowerCase = (text: string) => text.toLocaleLowerCase(language)
  const isLowerCase = toLowerCase(word) === word
  const formByKey = new Map<string, string>()
  for (const spokenForm of spokenForms) {
    const key = caseKey(spokenForm, language)
    if (listedKeys.has(key)) continue
    const form = (isLowerCase ? toLowerCase(spokenForm) : spokenForm).normalize('NFC')
    if (byCodePoint(form, formByKey.get(key) ?? '') > 0) formByKey.set(key, form)
  }
  return [...formByKey.values()].sort(byCodePoint)
}
