import fc from 'fast-check'
import { expect } from 'vitest'
import { sentencesQueries } from '../../model/generate.ts'
import { queryTokens } from '../../model/sentences.ts'
import type { SentencesQuery } from '../../model/sentences.ts'
import type { SourceCorpus } from '../../model/source.ts'
import { expectSame, queryText, type Served } from './served.ts'

const queriesPerCorpus = 20

/**
 * How many items each page holds, and which of the parameters that the cursor is bound to come with
 * it again.
 */
type PagedQuery = { query: SentencesQuery; limits: number[]; again: boolean }

/** The pages of each search in what is said, laid end to end, are those of the model. */
export async function sentencesAgree(served: Served, searches: readonly PagedQuery[]): Promise<void> {
  for (const search of searches) await pagesAgree(served, search)
}

/** Searches in what is said. */
export function sentencesRequests(corpus: SourceCorpus): fc.Arbitrary<PagedQuery[]> {
  const pagedQuery = fc.record({
    query: sentencesQueries(corpus),
    limits: fc.array(fc.constantFrom(1, 2, 3, 20), { minLength: 1, maxLength: 4 }),
    again: fc.boolean(),
  })
  return fc.array(pagedQuery, { minLength: queriesPerCorpus, maxLength: queriesPerCorpus })
}

async function pagesAgree({ model, get }: Served, { query, limits, again }: PagedQuery): Promise<void> {
  const { q, language, match, levels } = query
  const bound = { q, language, match, level: levels?.join() }
  if (queryTokens(q, language).length > 12) return
  const items = model.sentences(query)
  let cursor: string | null = null
  for (let from = 0, i = 0; i === 0 || from < items.length; i++) {
    const limit = limits[i % limits.length]!
    const given = cursor === null || again ? bound : {}
    const answer = await get(`/sentences?${queryText({ ...given, limit, cursor: cursor ?? undefined })}`)
    expect(answer.status).toBe(200)
    cursor = answer.json.nextCursor as string | null
    const expected = items.slice(from, from + limit)
    expectSame(answer.json, { items: expected, totalCount: items.length, nextCursor: cursor })
    from += limit
    expect(cursor === null).toBe(from >= items.length)
  }
}
