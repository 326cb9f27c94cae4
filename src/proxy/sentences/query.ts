import { invalidParameter, type ErrorAnswer } from '#contract/errors.ts'
import { sentenceTokensMax } from '#contract/sentences.ts'
import { caseKey } from '#language/lower-case.ts'
import { searchFold } from '#language/folds.ts'
import { segment } from '#language/segment.ts'
import type { Release } from '#release/release.ts'
import { wordTerm } from '#release/sentences/layout.ts'

/**
 * The tokens of a query, which is split as the cues of transcripts are. A query without a letter or
 * digit has none, and matches nothing.
 */
export function parseQuery(q: string, language: string): string[] | ErrorAnswer {
  const tokens = segment(q, language).map(({ text }) => caseKey(text, language))
  if (tokens.length <= sentenceTokensMax) return tokens
  return invalidParameter('q', `q must have at most ${sentenceTokensMax} words, but it has ${tokens.length}.`)
}

/** A query, ready to be looked up in any segment. */
export interface Query {
  language: string
  /** A token that is repeated is the same object. */
  tokens: QueryToken[]
}

/** What matches a token of a query. */
export interface QueryToken {
  /** The token itself, folded. */
  text: string
  /** The terms of the catalogue words that it spells. */
  words: string[]
}

/**
 * The most words that a token matches, the best covered first. In Chinese some syllables are the
 * pinyin of a hundred.
 */
const wordsMax = 200

/** With `forms`, a token is matched by all tokens indexed under a word that it spells. */
export function toQuery(
  texts: readonly string[],
  language: string,
  match: 'forms' | 'exact',
  { words, spellings }: Release,
): Query {
  const rowsOf = (text: string) => (match === 'exact' ? [] : spellings.wordsSpelled(text, language))
  const termOf = (row: number) => wordTerm(words.wordId(row))
  const toToken = (text: string) => ({
    text: searchFold(text, language),
    words: rowsOf(text).slice(0, wordsMax).map(termOf),
  })
  const tokens = new Map<string, QueryToken>()
  return { language, tokens: texts.map((text) => tokens.getOrInsertComputed(text, toToken)) }
}
