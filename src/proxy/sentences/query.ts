import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { quoteValue } from '#contract/quote-value.ts'
import { sentenceTokensMax } from '#contract/sentences.ts'
import { caseKey } from '#language/lower-case.ts'
import { searchFold } from '#language/folds.ts'
import { segment } from '#language/segment.ts'
import { isUnspaced } from '#language/unspaced.ts'
import type { Release } from '#release/release.ts'
import { wordTerm } from '#release/sentences/layout.ts'

/** Splits a query into tokens, like cues. A query without a letter or digit has no tokens. */
export function parseQuery(q: string, language: string): string[] | ErrorAnswer {
  const tokens = segment(q, language).map(({ text }) => caseKey(text, language))
  if (tokens.length <= sentenceTokensMax) return tokens
  return invalidParameter(
    'q',
    `q must have at most ${sentenceTokensMax} words, but ${quoteValue(q)} has ${tokens.length}.`,
  )
}

/**
 * A query, ready to be looked up in any segment. It is a path of units: of tokens, or of characters
 * in languages without spaces, where a transcript may split the same text into other tokens. A run
 * of spoken tokens matches if consecutive parts lead from the start of the query to its end.
 */
export interface Query {
  language: string
  unitCount: number
  parts: QueryPart[]
}

/** The terms that can match the units of a query between two positions. */
interface QueryPart {
  from: number
  to: number
  /** The same object for parts that the same tokens match. */
  terms: PartTerms
}

/** The terms that match a part. */
export interface PartTerms {
  /** The number of spoken tokens in a match of the part. */
  tokenCount: number
  /** The text of the token that matches exactly, folded; null if only words match. */
  text: string | null
  /** The terms of the catalogue words that the part spells. */
  words: string[]
}

/**
 * The maximum number of words that a part matches; those with the highest coverage are used. In
 * Chinese, some syllables are the pinyin of a hundred words.
 */
const wordsMax = 200

/** Builds a query. With `forms`, words that the query spells match in all their forms. */
export function toQuery(
  tokens: readonly string[],
  language: string,
  match: 'forms' | 'exact',
  release: Release,
): Query {
  const folds = tokens.map((token) => searchFold(token, language))
  const wordIdsOf = (text: string) => (match === 'exact' ? [] : wordIdsSpelled(text, language, release))
  if (isUnspaced(language)) return toCharacterQuery(tokens, folds, language, wordIdsOf)
  const termsByToken = new Map<string, PartTerms>()
  const termsOf = (token: string, i: number): PartTerms =>
    termsByToken.getOrInsertComputed(token, () => {
      const words = wordIdsOf(token).map((wordId) => wordTerm(wordId))
      return { tokenCount: 1, text: folds[i]!, words }
    })
  const parts = tokens.map((token, i) => ({ from: i, to: i + 1, terms: termsOf(token, i) }))
  return { language, unitCount: tokens.length, parts }
}

/**
 * Builds a query of characters. Any part of the text may be a spoken token. A word must be spelled
 * by whole tokens of the query, because parts of a token would spell unrelated words.
 */
function toCharacterQuery(
  tokens: readonly string[],
  folds: readonly string[],
  language: string,
  wordIdsOf: (text: string) => number[],
): Query {
  const text = folds.join('')
  const parts: QueryPart[] = []
  for (let from = 0; from < text.length; from++)
    for (let to = from + 1; to <= text.length; to++)
      parts.push({ from, to, terms: { tokenCount: 1, text: text.slice(from, to), words: [] } })
  const starts = [0]
  for (const fold of folds) starts.push(starts.at(-1)! + fold.length)
  for (let i = 0; i < tokens.length; i++) {
    for (let end = i + 1; end <= tokens.length; end++) {
      const wordIds = wordIdsOf(tokens.slice(i, end).join(''))
      if (wordIds.length === 0) continue
      for (let tokenCount = 1; tokenCount <= sentenceTokensMax; tokenCount++) {
        const words = wordIds.map((wordId) => wordTerm(wordId, tokenCount))
        parts.push({ from: starts[i]!, to: starts[end]!, terms: { tokenCount, text: null, words } })
      }
    }
  }
  return { language, unitCount: text.length, parts }
}

function wordIdsSpelled(text: string, language: string, { words, spellings }: Release): number[] {
  const rows = spellings.wordsSpelled(text, language).slice(0, wordsMax)
  return rows.map((row) => words.wordId(row))
}
