import type { Word } from '#contract/word.ts'
import { share } from '#kit/round.ts'
import { previewKnown } from './previews.ts'

/** The words that a visitor knows, by language. They stay in the browser's local storage. */

const storageName = (language: string) => `clip-lookup-known-${language}`

/** The ids of the words of a language that were ticked. */
export function tickedWordIds(language: string): Set<number> {
  return new Set(JSON.parse(localStorage.getItem(storageName(language)) ?? '[]') as number[])
}

/** Ticks a word, or takes the tick off. */
export function tick(language: string, wordId: number, isTicked: boolean): void {
  const wordIds = tickedWordIds(language)
  if (isTicked) wordIds.add(wordId)
  else wordIds.delete(wordId)
  localStorage.setItem(storageName(language), JSON.stringify([...wordIds]))
}

/** Whether a level names a word; an empty text names none. The levels are in alphabetical order. */
export function isUpTo(word: Word, level: string): boolean {
  return word.level <= level
}

/**
 * How the clips of the preview fit somebody who knows a level and the ticked words: the share of
 * the words in each that is known, its new words in the order they are said, and when the first of
 * them is said, in seconds.
 */
export async function fitPreview(language: string, level: string) {
  const { clips, words } = await previewKnown(language)
  const byId = new Map(words.map((word) => [word.wordId, word]))
  const wordIds = tickedWordIds(language)
  const isKnown = (id: number) => wordIds.has(id) || isUpTo(byId.get(id)!, level)
  return clips.map(({ clip, occurrences: occurrences }) => {
    const unknown = occurrences.filter((token) => !token.wordIds.some(isKnown))
    return {
      clip,
      knownShare:
        occurrences.length === 0 ? 1 : share(occurrences.length - unknown.length, occurrences.length, 2),
      newWords: [...new Set(unknown.flatMap((token) => token.wordIds))].map((id) => byId.get(id)!),
      tStart: unknown[0]?.tStart ?? 0,
    }
  })
}
