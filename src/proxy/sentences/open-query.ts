import type { Release } from '#release/release.ts'
import type { PostingList } from '#release/sentences/posting-list.ts'
import type { Segment } from '#release/sentences/reader.ts'
import type { SegmentCache } from './segment-cache.ts'

/** A query, ready to be looked up in any segment. */
export interface Query {
  language: string
  /** For each token the terms that match it: itself first, then its other forms. */
  terms: string[][]
}

/** The lists of the terms that match one token of a query. */
export type TokenLists = { list: PostingList; isExact: boolean }[]

/** With `forms`, a token is matched by every spelling of the words that it is a spelling of. */
export function toQuery(
  tokens: readonly string[],
  language: string,
  match: 'forms' | 'exact',
  { words }: Release,
): Query {
  const spellings = (token: string) =>
    match === 'exact' ? [token] : [...new Set([token, ...words.spellingsLike(token, language)])]
  return { language, terms: tokens.map(spellings) }
}

/** For each token the lists of its terms in a segment. */
export async function openTerms(
  { terms }: Query,
  segment: Segment,
  release: Release,
  cache: SegmentCache,
): Promise<TokenLists[]> {
  const reads = terms.map((some) => some.map((term) => cache.list(release, segment, term)))
  // Awaited together, so that none can fail unheard; not at all if all are cached.
  const isCached = reads.every((some) => some.every((read) => !(read instanceof Promise)))
  const found = isCached
    ? (reads as (PostingList | null)[][])
    : await Promise.all(reads.map((some) => Promise.all(some.map((read) => Promise.resolve(read)))))
  return found.map((lists) => lists.flatMap((list, i) => (list ? [{ list, isExact: i === 0 }] : [])))
}
