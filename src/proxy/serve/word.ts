import { basePath } from '#contract/operations.ts'
import { notFound, type ErrorAnswer } from '#contract/errors.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage } from '#contract/parameters.ts'
import { mayContainKey, quoteValue } from '#contract/quote-value.ts'
import { sentenceTokensMax } from '#contract/sentences.ts'
import { closestOf } from '#kit/closest.ts'
import { byCodePoint } from '#kit/code-points.ts'
import { toSentence } from '#kit/to-sentence.ts'
import { languageName } from '#language/language-name.ts'
import { segment } from '#language/segment.ts'
import { spellingFold } from '#language/folds.ts'
import type { Release } from '#release/release.ts'
import { resolveWord } from '#release/resolve-word.ts'
import { Body } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

/** GET /words/{word} (contract 1.6). */
export const word: Handler<ParameterValues<'getWord'>> = {
  answer({ word: requestedWord, language = defaultLanguage, gloss = defaultGloss }, { release }) {
    const row = resolveWord(requestedWord, language, release)
    if (row < 0) return unknownWord(requestedWord, language, release)
    const forms = release.words.forms(row).sort(byCodePoint)
    return new Body(release.words.record(row, gloss, { language, forms }))
  },
}

/**
 * Returns 404: no word in the language has this spelling or id. The message names another language
 * that has it, or else the closest headword, and the search in sentences.
 */
export function unknownWord(text: string, language: string, release: Release): ErrorAnswer {
  const other = release.words.languages.find(
    (code) => code !== language && release.spellings.wordsSpelled(text, code).length > 0,
  )
  const closest = other === undefined ? closestWord(text, language, release) : undefined
  const search = searchFor(text, language)
  const hints = [
    ...(other === undefined ? [] : [`add language=${other}`]),
    ...(closest === undefined ? [] : [`try ${quoteValue(closest)}`]),
    ...(search === null ? [] : [`send GET ${search} to find clips in which the text is said`]),
  ]
  const problem =
    other === undefined
      ? `There is no word ${quoteValue(text)} in the ${languageName(language)} catalogue.`
      : `${quoteValue(text)} is a word in the ${languageName(other)} catalogue.`
  return notFound(hints.length === 0 ? problem : `${problem} ${toSentence(hints.join(', or '))}`)
}

/**
 * Returns the search for a text in sentences; null if the text cannot be searched for, or contains
 * a key.
 */
function searchFor(text: string, language: string): string | null {
  const tokenCount = segment(text, language).length
  if (tokenCount < 1 || tokenCount > sentenceTokensMax || mayContainKey(text)) return null
  return `${basePath}/sentences?q=${encodeURIComponent(text)}&language=${language}`
}

/**
 * Returns the headword closest to a text; of several, the one with the most clips. Compares only
 * those with the same first letter, which is rarely mistyped, because comparing all of them would
 * take tens of milliseconds.
 */
function closestWord(text: string, language: string, { words, spellings }: Release): string | undefined {
  const [letter] = spellingFold(text, language)
  if (letter === undefined) return undefined
  const rows = new Set<number>()
  const { from, to } = spellings.find(letter, language)
  for (let entry = from; entry < to; entry++) if (spellings.isHeadword(entry)) rows.add(spellings.row(entry))
  const candidates = [...rows].sort((a, b) => a - b).map((row) => words.word(row))
  const isAsLong = (word: string) => Math.abs(word.length - text.length) <= 2
  return closestOf(text, candidates.filter(isAsLong))
}
