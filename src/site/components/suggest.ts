import type { FoundWord, WordPage } from '#contract/word.ts'
import { ask, unlessError } from './service.ts'

/** How long nothing must have been typed before a request is sent. */
const pauseMs = 200

/** The words of pages that were complete, by what was asked for. */
const completePages = new Map<string, FoundWord[]>()
let latest = new AbortController()

/**
 * Completes a word as it is typed, for few look-ups: a request waits for a pause in the typing and
 * takes the place of the one before, and a page that was complete answers longer texts, too.
 *
 * @param query which words are searched: parameters of `/words`
 * @throws {DOMException} (`AbortError`) another text has been typed since
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
    // A text that has no match has none when it is longer.
    if (matches && (matches.length > 0 || words!.length === 0)) return matches
  }
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  signal.throwIfAborted()
  const { words, nextCursor } = unlessError(await ask<WordPage>('/words', { ...query, q: lowerText }, signal))
  if (nextCursor === null) completePages.set(keyOf(lowerText), words)
  return words
}
