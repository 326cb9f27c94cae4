/** The positions of tokens in the line in which they are spoken, in code points. */
import type { IndexedCue } from './indexed.ts'
import { ignoringCase, nfc } from './spelling.ts'
import type { Token } from './tokens.ts'

type Place = { start: number; end: number }

/**
 * Returns the positions of tokens in a line, in code points, one after another and ignoring case;
 * null for one that the line does not show as a whole word: "no letter, digit or joining hyphen
 * next to it; an elided l’ or d’ before it is a word of its own".
 */
export function placesOf(tokens: Token[], line: string, language: string): (Place | null)[] {
  const letters = [...nfc(line)].map((letter) => ignoringCase(letter, language))
  const isPartOfWord = (at: number) => /^[\p{L}\p{M}\p{N}]/u.test(letters[at] ?? '')
  const isHyphen = (at: number) => ['-', '‐', '‑'].includes(letters[at] ?? '')
  const isAnywhere = ['ja', 'zh', 'th', 'lo', 'km', 'my'].includes(language)
  let from = 0
  return tokens.map(({ text }) => {
    const token = ignoringCase(text, language)
    const isWhole = (start: number, end: number) =>
      isAnywhere ||
      (!isPartOfWord(start - 1) &&
        !(isHyphen(start - 1) && isPartOfWord(start - 2)) &&
        (token.endsWith("'") || (!isPartOfWord(end) && !(isHyphen(end) && isPartOfWord(end + 1)))))
    for (let start = from; start < letters.length; start++) {
      for (let end = start + 1; end <= letters.length; end++) {
        if (nfc(letters.slice(start, end).join('')) !== token || !isWhole(start, end)) continue
        from = end
        return { start, end }
      }
    }
    return null
  })
}

/** Returns the start of a token; if the line does not show it, the end of the previous one. */
export function startOf({ source, tokens }: IndexedCue, at: number, language: string): number {
  const places = placesOf(tokens, source.text, language)
  const before = places.slice(0, at).filter((place) => place !== null)
  return places[at]?.start ?? before.at(-1)?.end ?? 0
}

/** Returns the end of a token; for one that the line does not show, the start of the next one. */
export function endOf({ source, tokens }: IndexedCue, at: number, language: string): number {
  const places = placesOf(tokens, source.text, language)
  const after = places.slice(at + 1).filter((place) => place !== null)
  return places[at]?.end ?? after[0]?.start ?? [...nfc(source.text)].length
}
