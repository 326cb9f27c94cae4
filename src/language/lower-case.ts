/** Languages with dotted and dotless i, in which `I` is the capital of `ı` and `İ` that of `i`. */
const dottedAndDotless = new Set(['tr', 'az'])

/**
 * Lower case by the rules of the language (Unicode SpecialCasing.txt), in NFC. A final sigma
 * becomes a sigma, so that a word is the same wherever it stands.
 *
 *     lowerCase('ISI', 'tr') // 'ısı'
 */
export function lowerCase(text: string, language: string): string {
  const lower = dottedAndDotless.has(language) ? text.toLocaleLowerCase(language) : text.toLowerCase()
  return lower.replaceAll('ς', 'σ').normalize('NFC')
}

/** Texts of these characters are in NFC, also in lower case, and have one kind of apostrophe. */
const simple = /^[ -~\u00a0-\u00ff]*$/

/**
 * Whether a text has only small Latin letters and digits, as most words do: it is then its own key
 * in every language.
 *
 *     isPlain('run') // true
 */
export function isPlain(text: string): boolean {
  return /^[a-z0-9]*$/.test(text)
}

/**
 * Text as it is compared if case does not count: in lower case, with one apostrophe for all (’ ‘ ʼ
 * become ').
 *
 *     caseKey('Don’t', 'en') // "don't"
 */
export function caseKey(text: string, language: string): string {
  if (isPlain(text)) return text
  // This takes a third of the time for most words of most languages.
  if (simple.test(text) && !dottedAndDotless.has(language)) return text.toLowerCase()
  return lowerCase(text.normalize('NFC'), language).replace(/[’‘ʼ]/g, "'")
}
