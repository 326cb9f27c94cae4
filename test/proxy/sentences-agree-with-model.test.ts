import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sentencesQueries } from '../model/generate.ts'
import { queryTokens } from '../model/sentences.ts'
import type { SentencesQuery } from '../model/sentences.ts'
import type { SourceCorpus } from '../model/source.ts'
import { expectSame, holdsForCorpora, patienceOf, queryText, type Served } from './agreement.ts'

const allRuns = 40
const queriesPerCorpus = 20

/**
 * How many items each page holds, and which of the parameters that the cursor is bound to come with
 * it again.
 */
type PagedQuery = { query: SentencesQuery; limits: number[]; again: boolean }

test(
  'the pages of a search in what is said, laid end to end, are those of the model',
  patienceOf(allRuns),
  async () => {
    await holdsForCorpora(allRuns, pagedQueries, async (served, queries) => {
      for (const query of queries) await pagesAgree(served, query)
    })
  },
)

function pagedQueries(corpus: SourceCorpus): fc.Arbitrary<PagedQuery[]> {
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
