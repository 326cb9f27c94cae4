import { meaningIn, type Gloss } from '#contract/glosses.ts'
import type { Word } from '#contract/word.ts'
import type { IndexedWord } from '#release/release.ts'

/** A catalogue word as the API shows it, in the gloss asked for. */
export function toWord({ word, wordId, level, meanings, clipCount }: IndexedWord, gloss: Gloss): Word {
  return { word, wordId, level, meaning: meaningIn(gloss, meanings), clipCount }
}
