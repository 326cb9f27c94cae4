import fc from 'fast-check'
import { expect } from 'vitest'
import { knownText } from '../../model/known.ts'
import type { Known } from '../../model/known.ts'
import { wordClipsQueries, wordsQueries } from '../../model/generate.ts'
import type { WordClipsListQuery, WordsListQuery } from '../../model/generate.ts'
import { GLOSSES } from '../../model/source.ts'
import type { Gloss, Level, SourceCorpus } from '../../model/source.ts'
import { expectNotFound, expectSame, queryText, type Served } from './served.ts'

const queriesPerCorpus = 12

/** Walks through lists of words and of the clips of a word. */
export const listRequests = (corpus: SourceCorpus) =>
  fc.record({ words: pagedQueries(wordsQueries(corpus)), clips: pagedQueries(wordClipsQueries(corpus)) })
type ListRequests = ReturnType<typeof listRequests> extends fc.Arbitrary<infer Requests> ? Requests : never

/** The pages of each list, laid end to end, are that list of the model. */
export async function listsAgree(served: Served, { words, clips }: ListRequests): Promise<void> {
  for (const query of words) await wordsAgree(served, query)
  for (const query of clips) await wordClipsAgree(served, query)
}

/**
 * What may change from page to page, and which of the parameters that a cursor is bound to come
 * with it again.
 */
type PageDraft = { limit: number; gloss: Gloss; again: BoundParameter[] }
type BoundParameter = 'q' | 'language' | 'level' | 'hasClips'
type PagedQuery<Query> = { query: Query; pages: PageDraft[] }

const somePage: fc.Arbitrary<PageDraft> = fc.record({
  limit: fc.constantFrom(1, 1, 2, 2, 3, 7, 20, 100),
  gloss: fc.constantFrom(...GLOSSES),
  again: fc.subarray<BoundParameter>(['q', 'language', 'level', 'hasClips']),
})

function pagedQueries<Query>(queries: fc.Arbitrary<Query>): fc.Arbitrary<PagedQuery<Query>[]> {
  const pagedQuery = fc.record({ query: queries, pages: fc.array(somePage, { minLength: 1, maxLength: 5 }) })
  return fc.array(pagedQuery, { minLength: queriesPerCorpus, maxLength: queriesPerCorpus })
}

async function wordsAgree(
  { model, get }: Served,
  { query, pages }: PagedQuery<WordsListQuery>,
): Promise<void> {
  const { q, language, levels, hasClips } = query
  const bound = { q, language, level: spelled(levels), hasClips }
  const { length } = model.words(query)
  await readPages(pages, length, async (page, cursor, from) => {
    const answer = await get(`/words?${pageText(bound, page, cursor)}`)
    expect(answer.status).toBe(200)
    const { nextCursor } = answer.json
    const words = model.words({ ...query, gloss: page.gloss }).slice(from, from + page.limit)
    expectSame(answer.json, { words, totalCount: length, nextCursor })
    return nextCursor
  })
}

async function wordClipsAgree(
  { model, get }: Served,
  pagedQuery: PagedQuery<WordClipsListQuery>,
): Promise<void> {
  const { query, pages } = pagedQuery
  const { word, language, levels } = query
  const path = `/words/${encodeURIComponent(word)}/clips`
  const bound = { language, level: spelled(levels) }
  const learner = learnerOf(query.known)
  const list = model.wordClips(word, query)
  if (list === null) return expectNotFound(await get(`${path}?${pageText(bound, pages[0]!, null)}`))
  await readPages(pages, list.items.length, async (page, cursor, from) => {
    const answer = await get(`${path}?${pageText(bound, page, cursor, learner)}`)
    expect(answer.status).toBe(200)
    const { nextCursor } = answer.json
    const glossed = model.wordClips(word, { ...query, gloss: page.gloss })!
    expectSame(answer.json, {
      word: glossed.word,
      items: glossed.items.slice(from, from + page.limit),
      totalCount: isFiltered(query.known) ? null : list.items.length,
      nextCursor,
    })
    return nextCursor
  })
}

type ReadPage = (page: PageDraft, cursor: string | null, from: number) => Promise<string | null>

/**
 * Reads page by page to the end; a cursor comes with every page but the last, and null with the
 * last.
 */
async function readPages(pages: PageDraft[], length: number, readPage: ReadPage): Promise<void> {
  let cursor: string | null = null
  let from = 0
  for (let i = 0; i === 0 || from < length; i++) {
    const page = pages[i % pages.length]!
    cursor = await readPage(page, cursor, from)
    from += page.limit
    expect(cursor === null).toBe(from >= length)
  }
}

type Bound = { q?: string | undefined; language: string; level: string | undefined; hasClips?: boolean }

const defaults = { language: 'en', hasClips: true, gloss: 'en', limit: 20 }

/**
 * The query of a page. The first must name all but the defaults; the later ones leave out what is
 * bound or send it again.
 */
function pageText(bound: Bound, page: PageDraft, cursor: string | null, others: object = {}): string {
  const given: Record<string, string | number | boolean | undefined> = {
    ...bound,
    gloss: page.gloss,
    limit: page.limit,
  }
  for (const [name, value] of Object.entries(given)) {
    const isBound = name in bound
    const mayBeAbsent = cursor === null || !isBound ? value === defaults[name as keyof typeof defaults] : true
    if (mayBeAbsent && !page.again.includes(name as BoundParameter)) delete given[name]
  }
  return queryText({ ...given, ...others, cursor: cursor ?? undefined })
}

/** Levels as a caller might list them: in any order, blanks around. */
function spelled(levels: Level[] | null): string | undefined {
  return levels?.join(levels.length % 2 === 0 ? ',' : ' , ')
}

function isFiltered(known: Known | undefined): boolean {
  return known?.minKnownShare !== undefined || known?.maxUnknown !== undefined
}

/** What every page says of the learner. */
function learnerOf(known: Known | undefined): object {
  if (known === undefined) return {}
  return { known: knownText(known), minKnownShare: known.minKnownShare, maxUnknown: known.maxUnknown }
}
