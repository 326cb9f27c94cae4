import { examinedPositionsMax } from '#contract/feed.ts'
import type { BoundValues } from '#contract/parameter-values.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { workPerPage, type ClipFilter } from '../filter/clip-filter.ts'
import { Order } from './order.ts'

/** The start of a page: the shuffle, and the position in it. */
export interface PageStart {
  boundValues: BoundValues<'getFeed'>
  /** The number of ordinals on the first page, which are shuffled. */
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
export type PageFilter = Pick<ClipFilter, 'isBounding' | 'accepts' | 'workOf'>

/** The amount of work between two yields. */
const workAtOnce = 200_000

/**
 * Returns the clips of a page, and the position of the next page; null if no clip is left. With a
 * filter, a page examines at most `examinedPositionsMax` positions, or fewer if clips are long, so
 * that its cost is bounded. A page may therefore be empty although more follow. Yields the work
 * done since the last yield, in the units of a job.
 */
export function* takePage(
  start: PageStart,
  clips: ClipTable,
  filter: PageFilter,
  limit: number,
): Generator<number, Page> {
  const { base, domain } = clips.rangeOf(start.boundValues.language)
  const order = new Order(start.boundValues.language, start.boundValues.seed, start.domain)
  const end = filter.isBounding ? Math.min(start.domain, start.position + examinedPositionsMax) : start.domain
  const rows: number[] = []
  let [work, yieldedWork] = [0, 0]
  for (let position = start.position; position < end; position++) {
    if (filter.isBounding && work >= workPerPage) return { rows, next: position }
    if (work - yieldedWork >= workAtOnce) {
      yield work - yieldedWork
      yieldedWork = work
    }
    const ordinal = order.at(position)
    if (ordinal >= domain) continue
    const row = base + ordinal
    work += filter.workOf(row)
    if (!filter.accepts(row)) continue
    if (rows.length === limit) return { rows, next: position }
    rows.push(row)
  }
  return { rows, next: end < start.domain ? end : null }
}
