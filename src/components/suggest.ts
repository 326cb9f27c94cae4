import type { FoundWord, WordPage } from '#contract/word.ts'

/** How long nothing must have been typed before a request is sent. */
const pauseMs = 200

/**
 * Completes words as they are typed, for few look-ups: a request waits for a pause in the typing
 * and takes the place of the one before, and a page that was complete answers longer texts, too.
 */
export function suggester(ask: (typed: string, signal: AbortSignal) => Promise<WordPage>) {
  const complete = new Map<string, FoundWord[]>()
  let latest = new AbortController()
  /** @throws {DOMException} (`AbortError`) another text has been typed since */
  return async (text: string): Promise<FoundWord[]> => {
    const typed = text.toLowerCase()
    latest.abort()
    latest = new AbortController()
    const { signal } = latest
    for (let end = typed.length; end > 0; end--) {
      const words = complete.get(typed.slice(0, end))
      const left = words?.filter(({ word, matchedForm = word }) => matchedForm.toLowerCase().includes(typed))
      // A text that has no match has none when it is longer.
      if (left && (left.length > 0 || words!.length === 0)) return left
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    signal.throwIfAborted()
    const { words, nextCursor } = await ask(typed, signal)
    if (nextCursor === null) complete.set(typed, words)
    return words
  }
}
