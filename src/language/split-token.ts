import { plainApostrophes } from './lower-case.ts'

/**
 * What loses its last vowel before a word that begins with one: l'homme, dell'acqua. The apostrophe
 * is part of it. Where a word has grown together with it, there is no break: aujourd'hui.
 */
const elided: Readonly<Record<string, RegExp>> = {
  ca: /(?<=(?<!\p{L})[dlmnst]')(?=\p{L})/iu,
  fr: /(?<=(?<!\p{L})(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)')(?=\p{L})/iu,
  it: /(?<=(?<!\p{L})\p{L}+')(?=[aeiouhàèéìòù])/iu,
}

/**
 * Between sentences without a space: late.They. In abbreviations (Ph.D.) and names (Node.js), fewer
 * letters stand before the full stop, or a small one behind it.
 */
const glued = /(?<=\p{Ll}{2}\.)(?=\p{Lu}(?:\p{Ll}|'|$))|(?<=\p{Lo}{2}\.)(?=\p{Lo})/u
/** A colon joins parts of Finnish and Swedish words: EU:n. */
const gluedOrColon = new RegExp(`${glued.source}|(?<=\\p{L}{2}:)(?=\\p{L}{2})`, 'u')
const withColon = new Set(['fi', 'sv'])

/**
 * Splits a token after each word that is elided in it, in languages that have elision, and where a
 * space is missing between sentences.
 *
 *     splitToken("l'homme", 'fr') // ["l'", 'homme']
 *     splitToken('late.They', 'en') // ['late.', 'They']
 */
export function splitToken(token: string, language: string): string[] {
  const plain = plainApostrophes(token)
  const parts = /[.:]/.test(plain) ? plain.split(withColon.has(language) ? glued : gluedOrColon) : [plain]
  const pattern = elided[language]
  const pieces = pattern ? parts.flatMap((part) => part.split(pattern)) : parts
  if (pieces.length === 1) return [token]
  let end = 0
  return pieces.map(({ length }) => token.slice(end, (end += length)))
}
