import type { Word } from '#contract/word.ts'

/** The levels of the suggested words, in this order. */
const levels = ['B1', 'A1', 'A2', 'B2', 'C1']

/** Returns suggested words, one per level. The words with the most clips come first in `words`. */
export function chooseWords(words: readonly Word[]): string[] {
  return levels.flatMap((level) => {
    const all = words.filter((word) => word.level === level)
    // In an alphabet, most short words are function words. In Chinese, they are not.
    const best = all.find(({ word }) => [...word].length > 3 || /\p{Script=Han}/u.test(word)) ?? all[0]
    return best ? [best.word] : []
  })
}
