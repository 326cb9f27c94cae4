import fc from 'fast-check'
import { expect } from 'vitest'
import type { HttpAnswer } from '../../harness/http-client.ts'
import { knownText, type Known } from '../../model/known.ts'
import type { ListFilter } from '../../model/list-filter.ts'
import { meaningQueries, sentencesQueries, wordClipsQueries, wordsQueries } from '../../model/generate.ts'
import { queryTokens } from '../../model/sentences.ts'
import { GLOSSES, type Gloss, type Level, type SourceCorpus } from '../../model/source.ts'
import { expectNotFound, expectSame, pageText, type Served } from './served.ts'

/** Generates walks through lists of words, of clips of a word, and of found sentences. */
export const listRequests = (corpus: SourceCorpus) =>
  fc.record({
    meanings: pagedQueries(meaningQueries(corpus), 12),
    words: pagedQueries(wordsQueries(corpus), 12),
    clips: pagedQueries(wordClipsQueries(corpus), 12),
    sentences: pagedQueries(sentencesQueries(corpus), 20),
  })
type ListRequests = ReturnType<typeof listRequests> extends fc.Arbitrary<infer Requests> ? Requests : never

/** The parameters that may change from page to page, and the bound parameters to send again. */
type PageDraft = { limit: number; gloss: Gloss; again: string[] }

const somePage: fc.Arbitrary<PageDraft> = fc.record({
  limit: fc.constantFrom(1, 1, 2, 2, 3, 7, 20, 100),
  gloss: fc.constantFrom(...GLOSSES),
  again: fc.subarray(['q', 'language', 'level', 'hasClips', 'match']),
})

function pagedQueries<Query>(queries: fc.Arbitrary<Query>, count: number) {
  const pagedQuery = fc.record({ query: queries, pages: fc.array(somePage, { minLength: 1, maxLength: 5 }) })
  return fc.array(pagedQuery, { minLength: count, maxLength: count })
}

/** Checks that the consecutive pages of each list equal that list of the model. */
export async function listsAgree(
  { model, get }: Served,
  { meanings, words, clips, sentences }: ListRequests,
): Promise<void> {
  for (const { query, pages } of words) {
    const { q, language, levels, hasClips } = query
    const bound = { q, language, level: spelled(levels), hasClips }
    const { length } = model.words(query)
    await readPages(pages, length, async ({ gloss, limit, again }, cursor, from) => ({
      answer: await get(`/words?${pageText(bound, { gloss, limit }, cursor, again)}`),
      expected: { words: model.words({ ...query, gloss }).slice(from, from + limit), totalCount: length },
    }))
  }
  for (const { query, pages } of meanings) {
    const { q, language, gloss, levels, hasClips } = query
    if (q.trim() === '') continue
    const bound = { q, in: 'meanings', language, level: spelled(levels), hasClips, gloss }
    const found = model.words(query)
    await readPages(pages, found.length, async ({ limit, again }, cursor, from) => ({
      answer: await get(`/words?${pageText(bound, { limit }, cursor, again)}`),
      expected: { words: found.slice(from, from + limit), totalCount: found.length },
    }))
  }
  for (const { query, pages } of clips) {
    const { word, language, levels, known, filter, context } = query
    const path = `/words/${encodeURIComponent(word)}/clips`
    const bound = { language, level: spelled(levels) }
    const list = model.wordClips(word, query)
    if (list === null) {
      expectNotFound(await get(`${path}?${pageText(bound, {}, null, [])}`))
      continue
    }
    await readPages(pages, list.items.length, async ({ gloss, limit, again }, cursor, from) => {
      const free = { gloss, limit, ...learnerOf(known), ...filter, context }
      const glossed = model.wordClips(word, { ...query, gloss })!
      const totalCount = isFiltered(known, filter) ? null : list.items.length
      return {
        answer: await get(`${path}?${pageText(bound, free, cursor, again)}`),
        expected: { word: glossed.word, items: glossed.items.slice(from, from + limit), totalCount },
      }
    })
  }
  for (const { query, pages } of sentences) {
    const { q, language, match, levels, known, filter, context } = query
    if (queryTokens(q, language).length > 12) continue
    const bound = { q, language, match, level: spelled(levels) }
    const items = model.sentences(query)
    const totalCount = known !== undefined || isFiltered(known, filter) ? null : items.length
    await readPages(pages, items.length, async ({ gloss, limit, again }, cursor, from) => {
      const free = { gloss, limit, ...learnerOf(known), ...filter, context }
      const glossed = model.sentences({ ...query, gloss })
      return {
        answer: await get(`/sentences?${pageText(bound, free, cursor, again)}`),
        expected: { items: glossed.slice(from, from + limit), totalCount },
      }
    })
  }
}

type ReadPage = (
  page: PageDraft,
  cursor: string | null,
  from: number,
) => Promise<{ answer: HttpAnswer; expected: object }>

/** Reads page by page to the end; every page but the last has a cursor. */
async function readPages(pages: PageDraft[], length: number, readPage: ReadPage): Promise<void> {
  let cursor: string | null = null
  for (let from = 0, i = 0; i === 0 || from < length; i++) {
    const page = pages[i % pages.length]!
    const { answer, expected } = await readPage(page, cursor, from)
    expect(answer.status).toBe(200)
    cursor = answer.json.nextCursor as string | null
    expectSame(answer.json, { ...expected, nextCursor: cursor })
    from += page.limit
    expect(cursor === null).toBe(from >= length)
  }
}

/** Formats levels as a caller might: in any order, with blanks around them. */
function spelled(levels: Level[] | null): string | undefined {
  return levels?.join(levels.length % 2 === 0 ? ',' : ' , ')
}

function isFiltered(known: Known | undefined, filter: ListFilter = {}): boolean {
  const isLimited = known?.minKnownShare !== undefined || known?.maxUnknown !== undefined
  return isLimited || Object.keys(filter).length > 0
}

/** Returns the parameters about the learner, which every page has. */
function learnerOf(known: Known | undefined): object {
  if (known === undefined) return {}
  return { known: knownText(known), minKnownShare: known.minKnownShare, maxUnknown: known.maxUnknown }
}
