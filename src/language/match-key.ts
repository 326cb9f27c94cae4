import { caseKey, isPlain } from './lower-case.ts'

const core = /[\p{L}\p{N}\p{M}]/u

/** Text without what stands around it that is no letter, digit or mark: `"Well,` → `Well`. */
export function stripPunctuation(text: string): string {
  if (isPlain(text)) return text
  const start = text.search(core)
  if (start < 0) return ''
  let end = text.length
  // Walked by hand: `/[^…]+$/u` would walk every run of punctuation inside the text, too.
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
 * What headwords, forms and runs of tokens are matched by: case and the kind of apostrophe do not
 * count, nor does punctuation around each part; hyphens and blanks are one space (`Mother-in-law` →
 * `mother in law`). Empty where nothing is left.
 */
export function matchKey(text: string, language: string): string {
  if (isPlain(text)) return text
  return caseKey(text, language)
    .split(/[\s\-‐‑]+/u)
    .map(stripPunctuation)
    .filter((part) => part !== '')
    .join(' ')
}
