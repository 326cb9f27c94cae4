import { plainApostrophes } from './lower-case.ts'

/**
 * The end of a word that loses its last vowel before another vowel: l'homme, dell'acqua. The
 * apostrophe belongs to that word. Fixed words stay whole: aujourd'hui.
 */
const elisionBreaks: Readonly<Record<string, RegExp>> = {
  ca: /(?<=(?<!\p{L})[dlmnst]')(?=\p{L})/iu,
  fr: /(?<=(?<!\p{L})(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)')(?=\p{L})/iu,
  it: /(?<=(?<!\p{L})\p{L}+')(?=[aeiouhàèéìòù])/iu,
}

/**
 * The boundary of two sentences without a space: late.They. Abbreviations (Ph.D.) and names
 * (Node.js) have fewer letters before the full stop, or a lower-case letter after it. A single
 * capital at the end counts if it can be a word: late.I, but not vitamin.C.
 */
const sentenceBreak =
  /(?<=\p{Ll}{2}\.)(?=\p{Lu}(?:\p{Ll}|')|[AEIOUYÀÈÉÓÚАВИКОСУЯ]$)|(?<=\p{Lo}{2}\.)(?=\p{Lo})/u
/** A colon joins the parts of a word in Finnish and Swedish (EU:n), and divides others. */
const sentenceOrColonBreak = new RegExp(`${sentenceBreak.source}|(?<=\\p{L}{2}:)(?=\\p{L}{2})`, 'u')
const withColon = new Set(['fi', 'sv'])

/**
 * Splits a token after each elided word, in languages with elision, and where a space is missing
 * between sentences.
 *
 *     splitToken("l'homme", 'fr') // ["l'", 'homme']
 *     splitToken('late.They', 'en') // ['late.', 'They']
 */
export function splitToken(token: string, language: string): string[] {
  const plain = plainApostrophes(token)
  const parts = /[.:]/.test(plain)
    ? plain.split(withColon.has(language) ? sentenceBreak : sentenceOrColonBreak)
    : [plain]
  const pattern = elisionBreaks[language]
  const pieces = pattern ? parts.flatMap((part) => part.split(pattern)) : parts
  if (pieces.length === 1) return [token]
  let end = 0
  return pieces.map(({ length }) => token.slice(end, (end += length)))
}
