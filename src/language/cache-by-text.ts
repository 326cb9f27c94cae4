/** The number of texts that are cached. Speech has fewer forms. */
const maxTexts = 2 ** 16
/** The maximum length. Longer texts are rare, and would make the cache as large as the corpus. */
const maxLength = 100

/**
 * Caches the results of a function of a text. A full cache is emptied.
 *
 *     cacheByText((text) => text.length)('word') // 4
 */
export function cacheByText<T>(make: (text: string) => T): (text: string) => T {
  const resultByText = new Map<string, T>()
  return (text) => {
    const cachedResult = resultByText.get(text)
    if (cachedResult !== undefined) return cachedResult
    const result = make(text)
    if (resultByText.size === maxTexts) resultByText.clear()
    if (text.length <= maxLength) resultByText.set(text, result)
    return result
  }
}
