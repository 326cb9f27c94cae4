import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import { quoteValue } from '#contract/parameters.ts'
import type { Release } from '#release/release.ts'

/**
 * The row of the word that a spelling names, else of the one whose id the digits are; −1 where
 * there is none.
 */
export function resolveWord(text: string, language: string, { words }: Release): number {
  const named = words.named(text, language)[0]
  if (named !== undefined) return named
  if (!/^(0|[1-9]\d{0,9})$/.test(text)) return -1
  const word = words.find(Number(text))
  return word >= 0 && words.language(word) === language ? word : -1
}

/** 404: no word has this spelling or id. */
export function unknownWord(text: string): ErrorAnswer {
  return notFound(`the catalogue has no word ${quoteValue(text)} in this language`)
}
