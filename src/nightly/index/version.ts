import type { Problem } from '#corpus/problem.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { analyserInfo } from '#language/analysers/open-analyser.ts'

/**
 * The version of the rules for splitting text into tokens and finding words in them, increased with
 * each change. Every clip is then indexed again. A test contains the words that the rules find in
 * some sentences.
 */
const rulesVersion = 11

/**
 * The version of the other spellings by which words are found (`otherSpellings`), increased with
 * each change. The next build then makes a new release. A test contains the spellings of some
 * words.
 */
export const spellingsVersion = 4

/** Returns the version of the rules, the analyser and the dictionary of a language. */
export function indexingVersion(language: string): string {
  const { version } = analyserInfo(language)
  return version === null ? `${rulesVersion} without analyser` : `${rulesVersion} ${version}`
}

/** Returns a warning for each language with words that lacks the package of its analyser. */
export function missingAnalysers(catalogue: Catalogue): Problem[] {
  return [...catalogue].flatMap(([language, words]) => {
    const reason = words.length === 0 ? null : missingAnalyser(language)
    return reason === null ? [] : [{ file: `catalogue/${language}.jsonl`, reason }]
  })
}

/** Returns why the words of a language are found only by spelling, and the remedy; or null. */
export function missingAnalyser(language: string): string | null {
  const { installCommand } = analyserInfo(language)
  if (installCommand === undefined) return null
  return `words are matched only by their headwords and listed forms. Install the analyser for this language with "${installCommand}"`
}
