import { caseKey, isPlain } from './lower-case.ts'

const around = /^[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+$/gu

/** Text without what stands around it that is no letter, digit or mark: `"Well,` → `Well`. */
export function stripPunctuation(text: string): string {
  return isPlain(text) ? text : text.replace(around, '')
}

/**
 * What headwords, forms and runs of tokens are matched by: case and the kind of apostrophe do not count, nor does
 * punctuation around each part; hyphens and blanks are one space (`Mother-in-law` → `mother in law`). Empty where
 * nothing is left.
 */
export function matchKey(text: string, language: string): string {
  if (isPlain(text)) return text
  return caseKey(text, language)
    .split(/[\s\-‐‑]+/u)
    .map(stripPunctuation)
    .filter((part) => part !== '')
    .join(' ')
}
