import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import { knownText } from '../model/known.ts'
import { feedQueries, type FeedQuery } from '../model/generate.ts'
import type { FeedItem } from '../model/records.ts'
import type { SourceCorpus } from '../model/source.ts'
import { expectSame, holdsForCorpora, patienceOf, queryText, serve, type Served } from './agreement.ts'
import { WalkCheck } from './walk-check.ts'

const allRuns = 25
const queriesPerCorpus = 5

test(
  'a walk is one shuffle of the clips of the model, whatever limit, exclude, filters, level and gloss are from page to page',
  patienceOf(allRuns),
  async () => {
    await holdsForCorpora(allRuns, pagedQueries, async (served, queries) => {
      for (const query of queries) await pagesAgree(served, query)
    })
  },
)

test('different seeds give different orders, the same seed the same, and none a new one each time', async () => {
  const served = await serve(corpusOf(40), tempFolder())
  onTestFinished(() => served.service.stop())
  const orderOf = async (seed?: string) => {
    const { json } = await served.get(`/feed?${queryText({ seed, limit: 100 })}`)
    return { seed: json.seed as string, clipIds: idsOf(json.items) }
  }
  const seeds = Array.from({ length: 60 }, (_, i) => `seed ${i}`)
  const orders: string[][] = []
  for (const seed of seeds) orders.push((await orderOf(seed)).clipIds)
  const unseeded = [await orderOf(), await orderOf()]
  const texts = [...orders, ...unseeded.map(({ clipIds }) => clipIds)].map((clipIds) => clipIds.join())

  expect(new Set(texts).size).toBe(62)
  expect(new Set(unseeded.map(({ seed }) => seed)).size).toBe(2)
  expect(await orderOf(unseeded[0]!.seed)).toEqual(unseeded[0])
  for (const clipId of served.model.clipIds('en')) {
    const early = orders.filter((order) => order.indexOf(clipId) < 20).length
    expect(early, `${clipId} in the first half of 60 orders`).toBeGreaterThan(12)
    expect(early, `${clipId} in the first half of 60 orders`).toBeLessThan(48)
  }
})

/**
 * The query of the first page, and those of the later ones, which may send the seed and the
 * language again.
 */
type PagedQuery = { pages: FeedQuery[]; again: ('seed' | 'language')[][] }

function pagedQueries(corpus: SourceCorpus): fc.Arbitrary<PagedQuery[]> {
  const pagedQuery = fc.record({
    pages: fc.array(feedQueries(corpus), { minLength: 1, maxLength: 5 }),
    again: fc.array(fc.subarray<'seed' | 'language'>(['seed', 'language']), { minLength: 3, maxLength: 3 }),
  })
  return fc.array(pagedQuery, { minLength: queriesPerCorpus, maxLength: queriesPerCorpus })
}

async function pagesAgree(served: Served, { pages, again }: PagedQuery): Promise<void> {
  const { model, get } = served
  const { seed, language } = pages[0]!
  const order = await orderOf(served, seed, language)
  const check = new WalkCheck(order)
  let cursor: string | null = null
  for (let i = 0; i === 0 || cursor !== null; i++) {
    expect(i, 'pages read').toBeLessThanOrEqual(order.length)
    const page = pages[i % pages.length]!
    const bound = new Set(i === 0 ? ['seed', 'language'] : again[i % again.length])
    const answer = await get(`/feed?${pageText(page, { seed, language }, bound, cursor)}`)
    expect(answer.status).toBe(200)
    const { items, nextCursor } = answer.json
    const clipIds = idsOf(items)
    const expected = clipIds.map((clipId) => model.feedItem(clipId, page))
    expectSame(answer.json, { seed, items: expected, nextCursor })
    const excluded = page.exclude.map((id) => model.clip(id)?.clipId ?? id)
    const leftOut = new Set([
      ...excluded,
      ...model.leftOut({ ...page.filter, level: page.level }, page.known),
    ])
    check.take({ clipIds, limit: page.limit, isIncremental: nextCursor !== null, leftOut })
    cursor = nextCursor
  }
}

/** The whole shuffle, on one page: every clip of the language once. */
async function orderOf({ model, get }: Served, seed: string, language: string): Promise<string[]> {
  const { json } = await get(`/feed?${queryText({ seed, language, limit: 100 })}`)
  expect(json.nextCursor).toBeNull()
  const order = idsOf(json.items)
  expect(order.toSorted()).toEqual(model.clipIds(language).toSorted())
  return order
}

function pageText(
  { gloss, level, limit, exclude, filter, known, context }: FeedQuery,
  { seed, language }: { seed: string; language: string },
  given: Set<string>,
  cursor: string | null,
): string {
  return queryText({
    seed: given.has('seed') ? seed : undefined,
    language: given.has('language') ? language : undefined,
    gloss: gloss === 'en' ? undefined : gloss,
    level,
    limit: limit === 20 ? undefined : limit,
    exclude: exclude.length === 0 ? undefined : exclude.join(' , '),
    clipLevel: filter.clipLevel?.join(','),
    channel: filter.channel?.join(' ,'),
    maxDurationS: filter.maxDurationS,
    known: known && knownText(known),
    minKnownShare: known?.minKnownShare,
    maxUnknown: known?.maxUnknown,
    hasFocusWord: filter.hasFocusWord,
    context: context || undefined,
    cursor: cursor ?? undefined,
  })
}

function idsOf(items: FeedItem[]): string[] {
  return items.map((item) => item.clip.clipId)
}

function corpusOf(clipCount: number): SourceCorpus {
  const clips = Array.from({ length: clipCount }, (_, i) => ({
    videoId: `video-${i}`,
    title: `Clip ${i}`,
    language: 'en',
    level: 'A1' as const,
    durationS: 10,
    channel: { id: 'c', name: 'Channel' },
    cues: [{ tStart: 0, tEnd: 1, text: 'Hello.' }],
  }))
  return { catalogues: {}, forms: {}, clips }
}
