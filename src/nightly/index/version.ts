import type { Problem } from '#corpus/problem.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { analyserInfo } from '#language/analysers/open-analyser.ts'

/**
 * Raised with every change of how a text is split into tokens and how words are found in them.
 * Every clip is then indexed again. A test has what the rules find in some sentences.
 */
export const rulesVersion = 10

/**
 * Raised with every change of the other spellings that words are found by (`otherSpellings`). The
 * next build then makes a new release. A test has the spellings of some words.
 */
export const spellingsVersion = 4

/** The version of all that the clips of a language are indexed by: rules, analyser, dictionary. */
export function indexingVersion(language: string): string {
  const { version } = analyserInfo(language)
  return version === null ? `${rulesVersion} without analyser` : `${rulesVersion} ${version}`
}

/**
 * A warning for each language whose words are found by spelling alone because a package is missing,
 * with the command that installs it.
 */
export function missingAnalysers(catalogue: Catalogue): Problem[] {
  return [...catalogue].flatMap(([language, words]) => {
    const reason = words.length === 0 ? null : missingAnalyser(language)
    return reason === null ? [] : [{ file: `catalogue/${language}.jsonl`, reason }]
  })
}

/** Why the words of a language are found by spelling alone, and what installs its analyser. */
export function missingAnalyser(language: string): string | null {
  const { installCommand } = analyserInfo(language)
  if (installCommand === undefined) return null
  return `words are matched only by their headwords and listed forms. Install the analyser for this language with "${installCommand}"`
}
