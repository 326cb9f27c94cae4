import type { Problem } from '#corpus/problem.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { analyserInfo } from '#language/analysers/open-analyser.ts'

/**
 * Raised with every change of how tokens are made of a text and words are found in them: every clip
 * is then indexed again. A test knows what the rules find in some sentences, and fails when they
 * find something else under the same number.
 */
export const rulesVersion = 3

/** What the clips of a language are indexed by: the rules, the analyser and its dictionary. */
export function indexingVersion(language: string): string {
  const analyser = analyserInfo(language)
  return analyser ? `${rulesVersion} ${analyser.version ?? 'without its package'}` : `${rulesVersion}`
}

/**
 * A warning for each language whose words are found by spelling alone, for want of a package, and
 * the command that installs it.
 */
export function missingAnalysers(catalogue: Catalogue): Problem[] {
  return [...catalogue].flatMap(([language, words]) => {
    const command = analyserInfo(language)?.installCommand
    if (command === undefined || words.length === 0) return []
    const reason = `its words are found by their spelling alone: "${command}" installs the analyser of the language`
    return [{ file: `catalogue/${language}.jsonl`, reason }]
  })
}
