import type { Problem } from '#corpus/problem.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { analyserInfo } from '#language/analysers/open-analyser.ts'

/**
 * Raised with every change of how a text is split into tokens and how words are found in them.
 * Every clip is then indexed again. A test has what the rules find in some sentences.
 */
export const rulesVersion = 4

/**
 * Raised with every change of the other spellings that words are found by (`otherSpellings`). The
 * next build then makes a new release. A test has the spellings of some words.
 */
export const spellingsVersion = 1

/** The version of all that the clips of a language are indexed by: rules, analyser, dictionary. */
export function indexingVersion(language: string): string {
  const analyser = analyserInfo(language)
  return analyser ? `${rulesVersion} ${analyser.version ?? 'without its package'}` : `${rulesVersion}`
}

/**
 * A warning for each language whose words are found by spelling alone because a package is missing,
 * with the command that installs it.
 */
export function missingAnalysers(catalogue: Catalogue): Problem[] {
  return [...catalogue].flatMap(([language, words]) => {
    const command = analyserInfo(language)?.installCommand
    if (command === undefined || words.length === 0) return []
    const reason = `words are matched by spelling only: "${command}" installs the analyser of this language`
    return [{ file: `catalogue/${language}.jsonl`, reason }]
  })
}
