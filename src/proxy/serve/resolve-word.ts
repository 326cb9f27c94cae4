import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { spellingFold } from '#language/spelling-fold.ts'
import type { Release } from '#release/release.ts'

/**
 * The row of the word with this spelling, headwords and forms first, else of the word with this id;
 * −1 without one.
 */
export function resolveWord(text: string, language: string, release: Release): number {
  const { words } = release
  const named = rowSpelled(text, language, release)
  if (named >= 0) return named
  if (!/^(0|[1-9]\d{0,9})$/.test(text)) return -1
  const word = words.find(Number(text))
  return word >= 0 && words.language(word) === language ? word : -1
}

function rowSpelled(text: string, language: string, { words, spellings }: Release): number {
  const named = words.named(text, language)[0]
  if (named !== undefined) return named
  const folded = spellingFold(text, language)
  const { from, exactEnd } = spellings.find(folded, language)
  return folded !== '' && from < exactEnd ? spellings.row(from) : -1
}

/**
 * 404: no word of the language has this spelling or id. The message names another language that has
 * it.
 */
export function unknownWord(text: string, language: string, release: Release): ErrorAnswer {
  const other = release.words.languages.find(
    (code) => code !== language && rowSpelled(text, code, release) >= 0,
  )
  const hint = other === undefined ? '' : `: "${other}" has it, language=${other} asks there`
  return notFound(`the catalogue of "${language}" has no word ${quoteValue(text)}${hint}`)
}
