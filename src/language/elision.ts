/**
 * What loses its last vowel before a word that begins with one: l'homme, dell'acqua. The apostrophe
 * is part of it. Where a word has grown together with it, there is no break: aujourd'hui.
 */
const elided: Readonly<Record<string, RegExp>> = {
  ca: /(?<=(?<!\p{L})[dlmnst]['’ʼ‘])(?=\p{L})/iu,
  fr: /(?<=(?<!\p{L})(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)['’ʼ‘])(?=\p{L})/iu,
  it: /(?<=(?<!\p{L})\p{L}+['’ʼ‘])(?=[aeiouhàèéìòù])/iu,
}

/**
 * Splits a token after each word that is elided in it, in languages that have elision.
 *
 *     splitElided("l'homme", 'fr') // ["l'", 'homme']
 */
export function splitElided(token: string, language: string): string[] {
  const pattern = elided[language]
  return pattern ? token.split(pattern) : [token]
}
