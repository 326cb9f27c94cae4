const unspaced = new Set(['ja', 'zh'])

/**
 * Whether the language writes its words without spaces between them.
 *
 *     isUnspaced('ja') // true
 */
export function isUnspaced(language: string): boolean {
  return unspaced.has(language)
}
