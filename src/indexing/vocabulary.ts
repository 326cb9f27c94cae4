import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Vocabulary } from '#language/analysers/analyser.ts'
import { caseKey } from '#language/lower-case.ts'

/** The words of a language as analysers see them. */
export function vocabularyOf(words: readonly CatalogueWord[], language: string): Vocabulary {
  const spelled = new Set<string>()
  for (const { word, forms } of words)
    for (const text of [word, ...forms]) spelled.add(caseKey(text, language))
  return { headwords: words.map(({ word }) => word), has: (text) => spelled.has(caseKey(text, language)) }
}
