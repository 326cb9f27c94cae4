/**
 * Languages that write dotted and dotless i, by the rules of which `I` is the capital of `ı` and
 * `İ` that of `i`.
 */
const dottedAndDotless = new Set(['tr', 'az'])

/**
 * Lower case by the language's own rules (Unicode SpecialCasing.txt), NFC. Final sigma is taken as
 * sigma, so that a word does not change with its place.
 */
export function lowerCase(text: string, language: string): string {
  const lower = dottedAndDotless.has(language) ? text.toLocaleLowerCase(language) : text.toLowerCase()
  return lower.replaceAll('ς', 'σ').normalize('NFC')
}

const ascii = /^[ -~]*$/

/**
 * Whether a text is of small Latin letters and digits alone, as most words are: in every language
 * it is then as it is compared.
 */
export function isPlain(text: string): boolean {
  return /^[a-z0-9]*$/.test(text)
}

/**
 * Text as it is compared when case does not count: lower case by the language, one apostrophe for
 * all (’ ‘ ʼ are ').
 */
export function caseKey(text: string, language: string): string {
  if (isPlain(text)) return text
  // Of nothing else there are several spellings: a third of the time for most words of most
  // languages.
  if (ascii.test(text) && !dottedAndDotless.has(language)) return text.toLowerCase()
  return lowerCase(text.normalize('NFC'), language).replace(/[’‘ʼ]/g, "'")
}
