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

/** How much work is done between two yields, and on a page: 8 ms. */
const workAtOnce = 200_000
const workPerPage = 6_000_000
/** What examining a position costs, and each byte of the words of its clip. */
const workPerPosition = 100
const workPerByte = 1

/**
 * The clips of a page, and the position of the next page; null if no clip is left. With a filter, a
 * page examines at most `examinedPositionsMax` positions, and fewer if clips are long, so that its
 * cost is bounded; the next page may then have no clips. Yields the work that it has done, in the
 * units of a job.
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
  let [work, yielded] = [0, 0]
  for (let position = start.position; position < end; position++) {
    if (work >= workPerPage) return { rows, next: position }
    if (work - yielded >= workAtOnce) {
      yield work - yielded
      yielded = work
    }
    work += workPerPosition
    const ordinal = order.at(position)
    const row = base + ordinal
    if (ordinal >= domain || excluded.has(row)) continue
    if (facets ? !clips.accepts(row, facets) : !clips.isLive(row)) continue
    if (fits) {
      work += clips.termsSize(row) * workPerByte
      if (!fits(row)) continue
    }
    if (rows.length === limit) return { rows, next: position }
    rows.push(row)
  }
  return { rows, next: end < start.domain ? end : null }
}
