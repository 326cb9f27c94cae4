import { glosses, type Gloss } from '#contract/glosses.ts'
import { matchKey } from '#language/match-key.ts'
import type { CatalogueWord } from './catalogue-word.ts'

/** Findings that an editor may want to correct in a catalogue. None of them stops a build. */
export type CatalogueFindings = ReturnType<typeof checkCatalogue>
/** A spelling shared by several words. */
export type Clash = CatalogueFindings['clashes'][number]

/** Checks the words of a language. As in indexing, case, hyphens and spaces are ignored. */
export function checkCatalogue(words: readonly CatalogueWord[], language: string) {
  const bySpelling = new Map<string, Set<CatalogueWord>>()
  for (const word of words) {
    for (const spelling of [word.word, ...word.forms]) {
      const key = matchKey(spelling, language)
      if (key !== '') bySpelling.getOrInsertComputed(key, () => new Set()).add(word)
    }
  }
  const clashes = [...bySpelling]
    .filter(([, words]) => words.size > 1)
    .map(([spelling, words]) => ({ spelling, words: [...words].map(describeWord) }))
  const without = (gloss: Gloss) => words.filter(({ meanings }) => meanings[gloss] === undefined)
  return {
    words: words.length,
    /** Words without a meaning in English, which is shown if a gloss is missing. */
    withoutMeaning: without('en').map(describeWord),
    /** The number of words without a meaning, keyed by gloss. */
    missing: Object.fromEntries(glosses.map((gloss) => [gloss, without(gloss).length])),
    /** Forms of one word that another word also has, so that a token counts for both. */
    clashes,
    /** The clashes between words of different levels. */
    levelConflicts: clashes.filter((clash) => new Set(clash.words.map(({ level }) => level)).size > 1),
  }
}

function describeWord({ wordId, word, level }: CatalogueWord) {
  return { wordId, word, level }
}
