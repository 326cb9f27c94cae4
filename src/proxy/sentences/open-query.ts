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
export interface QueryToken {
  lists: { list: PostingList; isExact: boolean }[]
}

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

/** The lists of a query in a segment, token by token. */
export async function openQuery(
  { terms }: Query,
  segment: Segment,
  release: Release,
  cache: SegmentCache,
): Promise<QueryToken[]> {
  const reads = terms.map((some) => some.map((term) => cache.list(release, segment, term)))
  const areCached = reads.every((some) => some.every((list) => !(list instanceof Promise)))
  // All are awaited together, so that none of them can fail unheard.
  const lists = areCached
    ? (reads as PostingList[][])
    : await Promise.all(reads.map((some) => Promise.all(some.map((list) => Promise.resolve(list)))))
  return lists.map((some) => ({
    lists: some.flatMap((list, i) => (list ? [{ list, isExact: i === 0 }] : [])),
  }))
}
