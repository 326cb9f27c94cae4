/** Languages with dotted and dotless i, in which `I` is the capital of `ı` and `İ` that of `i`. */
const dottedAndDotless = new Set(['tr', 'az'])

/**
 * Texts of these characters are in NFC, even in lower case, have one kind of apostrophe and no
 * invisible characters.
 */
const simple = /^[ -_a-~\u00a0-\u00ac\u00ae-\u00b3\u00b5-\u00ff]*$/

/** The apostrophe, and the characters that people and keyboards write for it. */
const apostrophes = /[’‘‛ʼʻʹ′´`＇ꞌ]/g

/**
 * Replaces all characters that look like an apostrophe by one. The length does not change.
 *
 *     plainApostrophes('don`t') // "don't"
 */
export function plainApostrophes(text: string): string {
  return text.replace(apostrophes, "'")
}

/**
 * Invisible characters: soft hyphens, joiners and direction marks; and the stress marks of Cyrillic
 * words, which only books for learners contain.
 */
const unseen =
  /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\p{Variation_Selector}|(?<=\p{Script=Cyrillic})(?:\u0300|\u0301)/gu

/**
 * Latin letters beside Cyrillic ones, which some people type for letters that look the same and,
 * with an accent, for stressed vowels.
 */
const latinLetter = /(?<=\p{Script=Cyrillic})[aeiopcyxáéóýàèò]|[aeiopcyxáéóýàèò](?=\p{Script=Cyrillic})/giu
/** The letters, each beside the Cyrillic one that looks like it. */
const letters = { latin: 'aeiopcyxáàéèóòý', cyrillic: 'аеіорсухааееооу' }

/**
 * Returns text in lower case by the rules of the language (Unicode SpecialCasing.txt), in NFC. A
 * final sigma becomes a sigma, so that a word is the same in any position, and a dot that other
 * software put above an i is dropped.
 *
 *     lowerCase('ISI', 'tr') // 'ısı'
 */
export function lowerCase(text: string, language: string): string {
  const lower = dottedAndDotless.has(language) ? text.toLocaleLowerCase(language) : text.toLowerCase()
  return lower.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i').normalize('NFC')
}

/**
 * Whether a text has only lower-case Latin letters and digits, like most words. It is then its own
 * key in every language.
 *
 *     isPlain('run') // true
 */
export function isPlain(text: string): boolean {
  return /^[a-z0-9]*$/.test(text)
}

/**
 * Returns text for comparisons that ignore case: in lower case, with one kind of apostrophe, and
 * without invisible characters. Romanian letters get a comma, because many fonts and keyboards use
 * a cedilla.
 *
 *     caseKey('Don’t', 'en') // "don't"
 */
export function caseKey(text: string, language: string): string {
  if (isPlain(text)) return text
  // This takes a third of the time for most words in most languages.
  if (simple.test(text) && !dottedAndDotless.has(language)) return text.toLowerCase()
  const key = plainApostrophes(lowerCase(text.normalize('NFC').replace(unseen, ''), language))
  if (language === 'ro') return key.replaceAll('ş', 'ș').replaceAll('ţ', 'ț')
  return key.replace(latinLetter, (letter) => letters.cyrillic[letters.latin.indexOf(letter)]!)
}
