/**
 * Returns the length in characters as the contract counts them: code points, not UTF-16 units.
 *
 *     codePointLength('a🌱') // 2
 */
export function codePointLength(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? [...text].length : text.length
}

/**
 * Compares texts by code point, as UTF-8 sorts. `<` compares UTF-16 units, which puts 🌱 before ﬁ.
 *
 *     ['🌱', 'ﬁ'].sort(byCodePoint) // ['ﬁ', '🌱']
 */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
