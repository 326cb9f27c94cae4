import type { Word } from '#contract/word.ts'

/** The levels that words to begin with come from, in this order. */
const levels = ['B1', 'A1', 'A2', 'B2', 'C1']

/** A few words to begin with, one of each level; `words` has the most covered first. */
export function chooseWords(words: readonly Word[]): string[] {
  return levels.flatMap((level) => {
    const all = words.filter((word) => word.level === level)
    // Short words of an alphabet are mostly those of grammar; Chinese characters are not.
    const best = all.find(({ word }) => [...word].length > 3 || /\p{Script=Han}/u.test(word)) ?? all[0]
    return best ? [best.word] : []
  })
}
