/**
 * Returns the length in characters as the contract counts them: code points, not UTF-16 units.
 *
 *     codePointLength('a🌱') // 2
 */
export function codePointLength(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) i++
    length++
  }
  return length
}

/**
 * Compares texts by code point, as UTF-8 sorts. `<` compares UTF-16 units, which puts 🌱 before ﬁ.
 *
 *     ['🌱', 'ﬁ'].sort(byCodePoint) // ['ﬁ', '🌱']
 */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
