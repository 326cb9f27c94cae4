import type { IndexedWord } from '#release/release.ts'

/**
 * The words that hold the folded text, best first: the word itself, words that begin with it, words that contain it; within each in the order
 * of `words`. An empty text is in every word (contract 1.5).
 */
export function findWords(words: readonly IndexedWord[], folded: string): IndexedWord[] {
  if (folded === '') return [...words]
  const exact: IndexedWord[] = []
  const beginning: IndexedWord[] = []
  const containing: IndexedWord[] = []
  for (const word of words) {
    const at = word.folded.indexOf(folded)
    if (at > 0) containing.push(word)
    else if (at === 0) (word.folded.length === folded.length ? exact : beginning).push(word)
  }
  return [...exact, ...beginning, ...containing]
}
