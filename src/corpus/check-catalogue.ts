import { glosses, type Gloss } from '#contract/glosses.ts'
import type { Level } from '#contract/levels.ts'
import { matchKey } from '#language/match-key.ts'
import type { CatalogueWord } from './catalogue-word.ts'

/** A word, as findings name it. */
interface NamedWord {
  wordId: number
  word: string
  level: Level
}

/** A spelling shared by several words. */
export interface Clash {
  spelling: string
  words: NamedWord[]
}

/** What an editor may want to correct in the catalogue of a language. None of it stops a build. */
export interface CatalogueFindings {
  words: number
  /** Words without a meaning in English, which is shown if a gloss is missing. */
  withoutMeaning: NamedWord[]
  /** By gloss, how many words have no meaning in it. */
  missing: Record<Gloss, number>
  /** Forms of one word that are a form or the headword of another: a token counts for both. */
  clashes: Clash[]
  /** The clashes between words of different levels. */
  levelConflicts: Clash[]
}

/**
 * Checks the words of one language. Spellings are compared as indexing does: ignoring case, hyphens
 * and spaces.
 */
export function checkCatalogue(words: readonly CatalogueWord[], language: string): CatalogueFindings {
  const bySpelling = new Map<string, Set<CatalogueWord>>()
  for (const word of words) {
    for (const spelling of [word.word, ...word.forms]) {
      const key = matchKey(spelling, language)
      if (key === '') continue
      bySpelling.getOrInsertComputed(key, () => new Set()).add(word)
    }
  }
  const clashes = [...bySpelling]
    .filter(([, found]) => found.size > 1)
    .map(([spelling, found]) => ({ spelling, words: [...found].map(named) }))
  return {
    words: words.length,
    withoutMeaning: words.filter((word) => word.meanings.en === undefined).map(named),
    missing: Object.fromEntries(
      glosses.map((gloss) => [gloss, words.filter((word) => word.meanings[gloss] === undefined).length]),
    ) as Record<Gloss, number>,
    clashes,
    levelConflicts: clashes.filter((clash) => new Set(clash.words.map(({ level }) => level)).size > 1),
  }
}

function named({ wordId, word, level }: CatalogueWord): NamedWord {
  return { wordId, word, level }
}
