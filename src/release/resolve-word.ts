import type { Release } from './release.ts'

/** Returns the row of the best word with this spelling, or of the word with this id; or −1. */
export function resolveWord(text: string, language: string, { words, spellings }: Release): number {
  const [row] = spellings.wordsSpelled(text, language)
  if (row !== undefined) return row
  if (!/^(0|[1-9]\d{0,9})$/.test(text)) return -1
  const word = words.find(Number(text))
  return word >= 0 && words.language(word) === language ? word : -1
}
