import fc from 'fast-check'
import { expect } from 'vitest'
import type { FeedItem } from '#contract/feed.ts'
import { knownText } from '../../model/known.ts'
import { feedQueries, type FeedQuery } from '../../model/generate.ts'
import type { SourceCorpus } from '../../model/source.ts'
import { expectSame, pageText, queryText, type Served } from './served.ts'
import { WalkCheck } from '../walk-check.ts'

const queriesPerCorpus = 25

/**
 * Checks that each walk is one shuffle of the model's clips, whatever the parameters of each of its
 * pages.
 */
export async function feedAgrees(served: Served, walks: readonly PagedQuery[]): Promise<void> {
  for (const walk of walks) await pagesAgree(served, walk)
}

/** The queries of a walk's pages, and the bound parameters that its later pages send again. */
type PagedQuery = { pages: FeedQuery[]; again: ('seed' | 'language')[][] }

/** Generates walks through the feed. */
export function feedRequests(corpus: SourceCorpus): fc.Arbitrary<PagedQuery[]> {
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
    const text = pageText({ seed, language }, freeOf(page), cursor, again[i % again.length]!)
    const answer = await get(`/feed?${text}`)
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

/** Returns the whole shuffle, on one page: every clip of the language once. */
async function orderOf({ model, get }: Served, seed: string, language: string): Promise<string[]> {
  const { json } = await get(`/feed?${queryText({ seed, language, limit: 100 })}`)
  expect(json.nextCursor).toBeNull()
  const order = idsOf(json.items)
  expect(order.toSorted()).toEqual(model.clipIds(language).toSorted())
  return order
}

/** Returns the parameters that may change from page to page. */
function freeOf({ gloss, level, limit, exclude, filter, known, context }: FeedQuery) {
  return {
    gloss,
    level,
    limit,
    exclude: exclude.length === 0 ? undefined : exclude.join(' , '),
    clipLevel: filter.clipLevel?.join(','),
    channel: filter.channel?.join(' ,'),
    maxDurationS: filter.maxDurationS,
    known: known && knownText(known),
    minKnownShare: known?.minKnownShare,
    maxUnknown: known?.maxUnknown,
    hasFocusWord: filter.hasFocusWord,
    context: context || undefined,
  }
}

const idsOf = (items: FeedItem[]): string[] => items.map((item) => item.clip.clipId)
