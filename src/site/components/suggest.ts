import type { FoundWord, WordPage } from '#contract/word.ts'
import { ask, unlessError } from './service.ts'

/** How long a pause in typing must last before a request is sent. */
const pauseMs = 200

/** The words of complete pages, keyed by query. */
const completePages = new Map<string, FoundWord[]>()
let latest = new AbortController()

/**
 * Returns the words that complete a text, using few look-ups. A request waits for a pause in typing
 * and replaces the previous request. A complete page also answers longer texts.
 *
 * @param query further parameters of `/words`
 * @throws {DOMException} (`AbortError`) another text was typed in the meantime
 */
export async function completeWord(text: string, query: Record<string, string>): Promise<FoundWord[]> {
  const lowerText = text.toLowerCase()
  const keyOf = (q: string) => JSON.stringify({ ...query, q })
  latest.abort()
  latest = new AbortController()
  const { signal } = latest
  for (let end = lowerText.length; end > 0; end--) {
    const words = completePages.get(keyOf(lowerText.slice(0, end)))
    const matches = words?.filter(({ word, matchedForm = word }) =>
      matchedForm.toLowerCase().includes(lowerText),
    )
    // If a text has no match, a longer text has none either.
    if (matches && (matches.length > 0 || words!.length === 0)) return matches
  }
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  signal.throwIfAborted()
  const { words, nextCursor } = unlessError(await ask<WordPage>('/words', { ...query, q: lowerText }, signal))
  if (nextCursor === null) completePages.set(keyOf(lowerText), words)
  return words
}
