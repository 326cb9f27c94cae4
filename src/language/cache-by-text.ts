/** How many texts are cached: speech has fewer forms. */
const maxTexts = 2 ** 16
/** Longer ones are rare, and would make the cache as large as the corpus. */
const maxLength = 100

/**
 * Caches what a function makes of a text. A full cache is emptied.
 *
 *     cacheByText((text) => text.length)('word') // 4
 */
export function cacheByText<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = make(text)
    if (known.size === maxTexts) known.clear()
    if (text.length <= maxLength) known.set(text, made)
    return made
  }
}
