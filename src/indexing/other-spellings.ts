import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { otherScript, pinyinOf } from '#language/spellings/chinese.ts'
import { romajiOf } from '#language/spellings/japanese.ts'

/**
 * What a learner may type for a word besides its headword (contract 1.6): its forms, its reading in
 * romaji or pinyin, and the other Chinese script.
 */
export function otherSpellings(
  { word, forms, language }: CatalogueWord,
  generated: readonly string[],
): string[] {
  const written = [...forms, ...generated]
  if (language === 'ja') return [...written, ...[word, ...forms].flatMap(romajiOf)]
  if (language === 'zh') return [...written, ...pinyinOf(word), ...otherScript(word)]
  return written
}
