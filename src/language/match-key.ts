import { caseKey, isPlain } from './lower-case.ts'
import { splitToken } from './split-token.ts'

/** From the first letter, digit or mark to the last. */
const core = /[\p{L}\p{N}\p{M}](?:.*[\p{L}\p{N}\p{M}])?/su

/**
 * Text without the characters around it that are not letters, digits or marks.
 *
 *     stripPunctuation('"Well,') // 'Well'
 */
export function stripPunctuation(text: string): string {
  return isPlain(text) ? text : (core.exec(text)?.[0] ?? '')
}

/** The marks of Arabic and Hebrew letters, and the tatweel, which only stretches a word. */
const points = /(?<=[\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{M}|\u0640/gu

/**
 * Text without the vowel points of Arabic and Hebrew, which dictionaries write and speech does not.
 *
 *     withoutPoints('كَتَبَ') // 'كتب'
 */
export function withoutPoints(text: string): string {
  return text.replace(points, '')
}

/**
 * The key that headwords, forms and runs of tokens are matched by: without case and kinds of
 * apostrophes, without punctuation around each part, with hyphens and whitespace as one space, and
 * one after an elided word ("s'il", French, is "s il"), and without the vowel points of Arabic and
 * Hebrew. It may be empty.
 *
 *     matchKey('Mother-in-law', 'en') // 'mother in law'
 */
export function matchKey(text: string, language: string): string {
  if (isPlain(text)) return text
  return withoutPoints(caseKey(text, language))
    .split(/[\s\-‐‑]+/u)
    .flatMap((part) => splitToken(part, language))
    .map(stripPunctuation)
    .filter((part) => part !== '')
    .join(' ')
}
