const unspaced = new Set(['ja', 'zh'])

/** Whether the language writes its words without blanks between them. */
export function isUnspaced(language: string): boolean {
  return unspaced.has(language)
}
