import { levels } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { CoverageCounter } from './coverage.ts'
import { clipIndexer } from './index-clip.ts'

/** The clips and words of a language, in total and by level. */
export type LanguageStats = Awaited<ReturnType<typeof corpusStats>>[number]

/** Counts clips, words and spoken words of a source corpus, by language and level. */
export async function corpusStats(catalogue: Catalogue, clips: AsyncIterable<SourceClip>) {
  const spokenWords = new Set<CatalogueWord>()
  const coverage = new CoverageCounter()
  /** The running tokens of each language, and the number of them that are catalogue words. */
  const tokenCounts = new Map<string, { tokens: number; indexedTokens: number }>()
  const indexers = new Map<string, ReturnType<typeof clipIndexer>>()
  for await (const clip of clips) {
    const { language, cues } = clip
    const index = indexers.getOrInsertComputed(language, () =>
      clipIndexer(language, catalogue.get(language) ?? []),
    )(cues)
    for (const word of index.hits.keys()) spokenWords.add(word)
    coverage.add(clip)
    const count = tokenCounts.getOrInsertComputed(language, () => ({ tokens: 0, indexedTokens: 0 }))
    count.tokens += index.cues.reduce((sum, { tokens }) => sum + tokens.length, 0)
    count.indexedTokens += index.tokensByLevel.reduce((sum, tokens) => sum + tokens, 0)
  }
  const { languages } = coverage.finish(catalogue, (word) => Number(spokenWords.has(word)))
  return languages.map(({ language, clipCount, totalDurationS, clipsByLevel, wordsByLevel }) => ({
    language,
    clips: clipCount,
    totalDurationS,
    ...(tokenCounts.get(language) ?? { tokens: 0, indexedTokens: 0 }),
    levels: levels.map((level) => {
      const { words, withClips } = wordsByLevel[level]
      return { level, clips: clipsByLevel[level], words, wordsWithClips: withClips }
    }),
  }))
}
