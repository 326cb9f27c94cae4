import { caseKey, isPlain } from './lower-case.ts'
import { splitToken } from './split-token.ts'

/** Matches from the first letter, digit or mark to the last. */
const core = /[\p{L}\p{N}\p{M}](?:.*[\p{L}\p{N}\p{M}])?/su

/**
 * Removes the characters around a text that are not letters, digits or marks.
 *
 *     stripPunctuation('"Well,') // 'Well'
 */
export function stripPunctuation(text: string): string {
  return isPlain(text) ? text : (core.exec(text)?.[0] ?? '')
}

/** The marks of Arabic and Hebrew letters, and the tatweel, which only stretches a word. */
const points = /(?<=[\p{Script=Arabic}\p{Script=Hebrew}]\p{M}*)\p{M}|\u0640/gu

/**
 * Removes the vowel points of Arabic and Hebrew, which dictionaries write and subtitles do not.
 *
 *     withoutPoints('كَتَبَ') // 'كتب'
 */
export function withoutPoints(text: string): string {
  return text.replace(points, '')
}

/**
 * Matches the end of Vietnamese syllables that end in two vowels, if the tone mark is on the second
 * one, as in the newer spelling: hoà.
 */
const toneAtEnd = /([ou])([aey])([\u0300\u0301\u0303\u0309\u0323])(?![\p{L}\p{M}])/gu

/** Returns Vietnamese with tone marks as in the older spelling: hoà is hòa. */
function withOlderTones(key: string): string {
  return key.normalize('NFD').replace(toneAtEnd, '$1$3$2').normalize('NFC')
}

/**
 * Returns the key for matching headwords, forms and runs of tokens: without case and kinds of
 * apostrophes, without punctuation around each part, with hyphens and whitespace as one space, and
 * a space after an elided word ("s'il", French, is "s il"), without the vowel points of Arabic and
 * Hebrew, and with Vietnamese tones in one place. It may be empty.
 *
 *     matchKey('Mother-in-law', 'en') // 'mother in law'
 */
export function matchKey(text: string, language: string): string {
  if (isPlain(text)) return text
  const key = withoutPoints(caseKey(text, language))
  return (language === 'vi' ? withOlderTones(key) : key)
    .split(/[\s\-‐‑]+/u)
    .flatMap((part) => splitToken(part, language))
    .map(stripPunctuation)
    .filter((part) => part !== '')
    .join(' ')
}
