import type { FoundWord, ListWordsParameters, Operations } from '../operations.ts'

/** The options of a completion. */
export interface AutocompleteOptions extends Omit<ListWordsParameters, 'q' | 'ids' | 'spellings' | 'cursor'> {
  /** The pause in typing after which a request is sent, in milliseconds. */
  delayMs?: number | undefined
}

/**
 * Returns a function that completes what a person types into words. It sends a request only after a
 * pause, aborts the one before, and answers locally if an earlier response contains all the words.
 * If another text was typed in the meantime, it returns null.
 */
export function autocomplete(
  client: Pick<Operations, 'listWords'>,
  { delayMs = 200, ...parameters }: AutocompleteOptions = {},
): (text: string) => Promise<FoundWord[] | null> {
  /** The words of complete responses, keyed by their folded text. */
  const answers = new Map<string, FoundWord[]>()
  let latest = new AbortController()
  return async (text) => {
    latest.abort()
    const { signal } = (latest = new AbortController())
    const q = fold(text)
    if (q === '') return []
    const local = localAnswer(answers, q)
    if (local) return local
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (signal.aborted) return null
    try {
      const { words, nextCursor } = await client.listWords({ ...parameters, q: text }, { signal })
      // Only the service knows which sense of a word matches.
      if (nextCursor === null && parameters.in !== 'meanings') answers.set(q, words)
      return signal.aborted ? null : words
    } catch (error) {
      if (signal.aborted) return null
      throw error
    }
  }
}

/**
 * Returns the words for a text from the complete response to its longest prefix that has one. That
 * contains every word for the text, but only the service knows whether a word matches by one of its
 * forms. So there is an answer only if all words match.
 */
function localAnswer(answers: ReadonlyMap<string, FoundWord[]>, q: string): FoundWord[] | null {
  let end = q.length
  while (end > 0 && !answers.has(q.slice(0, end))) end--
  const words = answers.get(q.slice(0, end))
  if (!words?.every(({ word, matchedForm = word }) => fold(matchedForm).includes(q))) return null
  const rank = ({ word }: FoundWord) => (fold(word) === q ? 0 : fold(word).startsWith(q) ? 1 : 2)
  return [...words].sort((a, b) => rank(a) - rank(b))
}

/** Folds case and diacritics, more strictly than the service, to avoid false matches. */
function fold(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
