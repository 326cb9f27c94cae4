import type { CatalogueWord } from '#corpus/catalogue-word.ts'

/** Returns catalogue words of a language with these headwords and forms, numbered from 0. */
export function wordsOf(language: string, forms: Record<string, readonly string[]>): CatalogueWord[] {
  return Object.entries(forms).map(([word, ofWord], wordId) => ({
    wordId,
    language,
    word,
    forms: [...ofWord],
    level: 'A1',
    meanings: {},
  }))
}
