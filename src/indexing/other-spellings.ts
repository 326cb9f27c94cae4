import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { otherScript, pinyinOf } from '#language/spellings/chinese.ts'
import { withoutPoints } from '#language/match-key.ts'
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
