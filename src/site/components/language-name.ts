const names = new Intl.DisplayNames('en', { type: 'language' })

/** The English name of a language: `en` → English. */
export function languageName(code: string): string {
  return names.of(code) ?? code
}
