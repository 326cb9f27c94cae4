import type { FoundWord, WordPage } from '#contract/word.ts'
import { ask, unlessError } from './service.ts'

/** How long nothing must have been typed before a request is sent. */
const pauseMs = 200

/** The words of pages that were complete, by what was asked for. */
const complete = new Map<string, FoundWord[]>()
let latest = new AbortController()

/**
 * Completes a word as it is typed, for few look-ups: a request waits for a pause in the typing and
 * takes the place of the one before, and a page that was complete answers longer texts, too.
 *
 * @param query which words are searched: parameters of `/words`
 * @throws {DOMException} (`AbortError`) another text has been typed since
 */
export async function completeWord(text: string, query: Record<string, string>): Promise<FoundWord[]> {
  const typed = text.toLowerCase()
  const keyOf = (q: string) => JSON.stringify({ ...query, q })
  latest.abort()
  latest = new AbortController()
  const { signal } = latest
  for (let end = typed.length; end > 0; end--) {
    const words = complete.get(keyOf(typed.slice(0, end)))
    const left = words?.filter(({ word, matchedForm = word }) => matchedForm.toLowerCase().includes(typed))
    // A text that has no match has none when it is longer.
    if (left && (left.length > 0 || words!.length === 0)) return left
  }
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  signal.throwIfAborted()
  const { words, nextCursor } = unlessError(await ask<WordPage>('/words', { ...query, q: typed }, signal))
  if (nextCursor === null) complete.set(keyOf(typed), words)
  return words
}
