import { levels, type Level } from '#contract/levels.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import type { SourceCue } from '#corpus/source-clip.ts'
import { share } from '#kit/round.ts'
import { clipIndexer } from './index-clip.ts'

/**
 * The share of running words that a reader must know to follow a text (Laufer and
 * Ravenhorst-Kalovski, "Lexical threshold revisited", Reading in a Foreign Language 22.1, 2010).
 */
const enough = 0.95
/**
 * The share in Chinese, where the segmenter mistakes pieces of names for rare words of one
 * character. At 95%, the Chinese subtitles of 18 talks were all C2, and the Japanese ones C1 or B2.
 */
const enoughInChinese = 0.9
/** The minimum number of words in a catalogue that contains most words of all levels. */
const comprehensive = 5_000
/** The fewest tokens that count; with fewer, a single word would decide. */
const fewestTokens = 20

/** Matches a word that the catalogue lacks. With a capital letter, it may be a name. */
const lowerCase = /^\p{Ll}+$/u

/**
 * Returns a function that suggests the level of a clip: the lowest at which 95% of its running
 * tokens are known, with the figures behind it. It returns null for a clip in which fewer than 20
 * tokens are catalogue words.
 */
export function levelSuggester(language: string, words: readonly CatalogueWord[]) {
  const index = clipIndexer(language, words)
  const requiredShare = language === 'zh' ? enoughInChinese : enough
  return (source: readonly SourceCue[]) => {
    const { cues, tokensByLevel, wordIds } = index(source)
    const indexedTokens = tokensByLevel.reduce((sum, count) => sum + count, 0)
    if (indexedTokens < fewestTokens) return null
    const isUnknown = (text: string, ids: readonly number[]) => ids.length === 0 && lowerCase.test(text)
    const newWords = cues.flatMap((cue, c) =>
      cue.tokens.filter(({ text }, t) => isUnknown(text, wordIds[c]![t]!)),
    )
    const tokens = indexedTokens + (words.length < comprehensive ? 0 : newWords.length)
    let knownTokens = 0
    const shares = levels.map((level, i) => {
      knownTokens += tokensByLevel[i]!
      return { level, known: knownTokens, share: share(knownTokens, tokens, 4) }
    })
    return {
      level: shares.find((at) => at.known >= tokens * requiredShare)?.level ?? 'C2',
      /** Running tokens that are catalogue words, or lower-case words that the catalogue lacks. */
      tokens,
      /** The share of them, by level, whose easiest word is at or below it (0 to 1, 4 decimals). */
      knownShare: Object.fromEntries(shares.map((at) => [at.level, at.share])) as Record<Level, number>,
    }
  }
}
