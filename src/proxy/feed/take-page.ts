import { examinedPositionsMax } from '#contract/feed.ts'
import type { BoundValues } from '#contract/parameter-values.ts'
import type { ClipFilter, ClipTable } from '#release/clips/reader.ts'
import { Order } from './order.ts'

/** Where a page begins: the shuffle, and the position in it. */
export interface PageStart {
  bound: BoundValues<'getFeed'>
  /** How many ordinals there were on the first page; they are what is shuffled. */
  domain: number
  position: number
}

/** The rows of the clips of a page, and the position of the next page. */
export interface Page {
  rows: number[]
  /** Null after the last page. */
  next: number | null
}

/** Which clips a page may show. */
export interface FeedFilter {
  /** Rows to leave out. */
  excluded: ReadonlySet<number>
  /** Null if the request filters nothing else. */
  facets: ClipFilter | null
  /** Whether the words of a clip let it through; null if the request does not ask. */
  fits: ((row: number) => boolean) | null
}

/** How many positions are examined between two yields. */
const positionsAtOnce = 512
/** What examining a position costs, with and without the words of the clip. */
const workPerFit = 500
const workPerPosition = 100

/**
 * The clips of a page, and the position of the next page; null if no clip is left. With a filter, a
 * page examines `examinedPositionsMax` positions at most, so that its cost is bounded; the next
 * page may then have no clips. Yields the work that it has done, in the units of a job.
 */
export function* takePage(
  start: PageStart,
  clips: ClipTable,
  { excluded, facets, fits }: FeedFilter,
  limit: number,
): Generator<number, Page> {
  const { base, domain } = clips.rangeOf(start.bound.language)
  const order = new Order(start.bound.language, start.bound.seed, start.domain)
  const isFiltering = facets !== null || fits !== null
  const end = isFiltering ? Math.min(start.domain, start.position + examinedPositionsMax) : start.domain
  const rows: number[] = []
  for (let position = start.position; position < end; position++) {
    if ((position - start.position + 1) % positionsAtOnce === 0)
      yield positionsAtOnce * (fits ? workPerFit : workPerPosition)
    const ordinal = order.at(position)
    const row = base + ordinal
    if (ordinal >= domain || excluded.has(row)) continue
    if (facets ? !clips.accepts(row, facets) : !clips.isLive(row)) continue
    if (fits && !fits(row)) continue
    if (rows.length === limit) return { rows, next: position }
    rows.push(row)
  }
  return { rows, next: end < start.domain ? end : null }
}
