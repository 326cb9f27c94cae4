import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { sentenceTokensMax } from '#contract/sentences.ts'
import { caseKey } from '#language/lower-case.ts'
import { segment } from '#language/segment.ts'

/**
 * The tokens of a query, which is split as the cues of transcripts are. A query without a letter or
 * digit has none, and matches nothing.
 */
export function parseQuery(q: string, language: string): string[] | ErrorAnswer {
  const tokens = segment(q, language).map(({ text }) => caseKey(text, language))
  if (tokens.length <= sentenceTokensMax) return tokens
  return invalidParameter('q', `q must have at most ${sentenceTokensMax} words, got ${tokens.length}`)
}
