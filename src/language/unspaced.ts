const unspacedLanguages = new Set(['ja', 'zh'])

/**
 * Whether the language writes its words without spaces between them.
 *
 *     isUnspaced('ja') // true
 */
export function isUnspaced(language: string): boolean {
  return unspacedLanguages.has(language)
}

/**
 * Returns the separator of words or joined lines in a language: a space, or nothing.
 *
 *     separatorOf('en') // ' '
 */
export function separatorOf(language: string): string {
  return isUnspaced(language) ? '' : ' '
}

/**
 * Whether the language writes a space between syllables, so that a word of several syllables is not
 * its parts: học sinh is not học.
 *
 *     isSyllabic('vi') // true
 */
export function isSyllabic(language: string): boolean {
  return language === 'vi'
}
