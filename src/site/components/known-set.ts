import type { Word } from '#contract/word.ts'
import { share } from '#kit/round.ts'
import { previewClips } from './previews.ts'

/** The words that a visitor knows in each language, stored in the browser's local storage. */

const storageName = (language: string) => `clip-lookup-known-${language}`

/** Returns the ids of the words that the visitor ticked in a language. */
export function tickedWordIds(language: string): Set<number> {
  return new Set(JSON.parse(localStorage.getItem(storageName(language)) ?? '[]') as number[])
}

/** Ticks or unticks a word. */
export function tick(language: string, wordId: number, isTicked: boolean): void {
  const wordIds = tickedWordIds(language)
  if (isTicked) wordIds.add(wordId)
  else wordIds.delete(wordId)
  localStorage.setItem(storageName(language), JSON.stringify([...wordIds]))
}

/**
 * Returns how well the preview clips suit a learner who knows a level and the words with these ids:
 * each clip's share of known words, its new words in spoken order, and the time of the first new
 * word in seconds. Clips with few new words come first, and those without new words last.
 */
export async function fitPreview(language: string, level: string, wordIds: ReadonlySet<number>) {
  const { clips, words } = await previewClips(language)
  const byId = new Map(words.map((word) => [word.wordId, word]))
  // Levels sort alphabetically. No word is at or below an empty level.
  const isKnown = (id: number) => wordIds.has(id) || byId.get(id)!.level <= level
  const fits = clips.map(({ clip, cues }) => {
    const tokens = cues.flatMap((cue) => cue.words)
    const occurrences = tokens.flatMap(({ tStart, wordIds = [] }) => {
      const catalogueIds = wordIds.filter((id) => byId.has(id))
      return catalogueIds.length > 0 ? [{ tStart, wordIds: catalogueIds }] : []
    })
    const unknown = occurrences.filter((token) => !token.wordIds.some(isKnown))
    return {
      clip,
      knownShare:
        occurrences.length === 0 ? 1 : share(occurrences.length - unknown.length, occurrences.length, 2),
      newWords: [...new Set(unknown.flatMap((token) => token.wordIds))].map((id) => byId.get(id)!),
      tStart: unknown[0]?.tStart ?? 0,
    }
  })
  const rank = ({ newWords }: { newWords: Word[] }) => newWords.length || Infinity
  return fits.sort((a, b) => rank(a) - rank(b) || 0)
}
