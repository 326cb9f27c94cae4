import { splitElided } from './elision.ts'
import { caseKey, isPlain } from './lower-case.ts'
import { withoutPoints } from './vowel-points.ts'

const core = /[\p{L}\p{N}\p{M}]/u

/**
 * Text without the characters around it that are not letters, digits or marks.
 *
 *     stripPunctuation('"Well,') // 'Well'
 */
export function stripPunctuation(text: string): string {
  if (isPlain(text)) return text
  const start = text.search(core)
  if (start < 0) return ''
  let end = text.length
  // Walks by hand, because `/[^…]+$/u` would also walk every run of punctuation inside the text.
  for (let last = lastCharacter(text, end); !core.test(last); last = lastCharacter(text, end))
    end -= last.length
  return text.slice(start, end)
}

/** The code point that ends before `end`. */
function lastCharacter(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end)
  return pair.length === 2 && pair.codePointAt(0)! > 0xffff ? pair : pair.slice(-1)
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
    .flatMap((part) => splitElided(part, language))
    .map(stripPunctuation)
    .filter((part) => part !== '')
    .join(' ')
}
