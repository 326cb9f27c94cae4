import { levels, type Level } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { clipIndexer } from './index-clip.ts'

/** The clips and words of one language and level. */
export interface LevelStats {
  level: Level
  clips: number
  words: number
  wordsWithClips: number
}

export interface LanguageStats {
  language: string
  clips: number
  totalDurationS: number
  /** Running tokens, and how many of them are catalogue words. */
  tokens: number
  indexedTokens: number
  levels: LevelStats[]
}

/**
 * Counts clips, words and spoken words of a source corpus, by language and level. Memory holds one
 * clip at a time.
 */
export async function corpusStats(
  catalogue: Catalogue,
  clips: AsyncIterable<SourceClip>,
): Promise<LanguageStats[]> {
  const counters = new Map(
    [...catalogue].map(([language, words]) => [language, new Counter(language, words)]),
  )
  for await (const clip of clips) {
    counters.getOrInsertComputed(clip.language, (language) => new Counter(language, [])).add(clip)
  }
  return [...counters.values()]
    .map((counter) => counter.stats())
    .toSorted((a, b) => (a.language < b.language ? -1 : 1))
}

class Counter {
  readonly #words: readonly CatalogueWord[]
  readonly #index: ReturnType<typeof clipIndexer>
  readonly #said = new Set<CatalogueWord>()
  readonly #stats: LanguageStats

  constructor(language: string, words: readonly CatalogueWord[]) {
    this.#words = words
    this.#index = clipIndexer(language, words)
    this.#stats = {
      language,
      clips: 0,
      totalDurationS: 0,
      tokens: 0,
      indexedTokens: 0,
      levels: levels.map((level) => ({ level, clips: 0, words: 0, wordsWithClips: 0 })),
    }
  }

  add({ cues, level, durationS }: SourceClip): void {
    const index = this.#index(cues)
    for (const word of index.hits.keys()) this.#said.add(word)
    this.#stats.clips++
    this.#stats.totalDurationS += durationS
    this.#stats.levels.find((at) => at.level === level)!.clips++
    this.#stats.tokens += index.cues.reduce((sum, { tokens }) => sum + tokens.length, 0)
    this.#stats.indexedTokens += index.tokensByLevel.reduce((sum, count) => sum + count, 0)
  }

  stats(): LanguageStats {
    for (const at of this.#stats.levels) {
      const words = this.#words.filter((word) => word.level === at.level)
      at.words = words.length
      at.wordsWithClips = words.filter((word) => this.#said.has(word)).length
    }
    return this.#stats
  }
}
