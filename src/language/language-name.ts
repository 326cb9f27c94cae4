const names = new Intl.DisplayNames('en', { type: 'language' })

/**
 * Returns the English name of a language, or its code if it has none.
 *
 *     languageName('tr') // 'Turkish'
 */
export function languageName(code: string): string {
  return names.of(code) ?? code
}
