import { clipOpening, idLength } from '../clips/layout.ts'
import type { PageDigest } from '../page-digest.ts'
import { wordClipsPath } from '../paths.ts'
import type { ListSegment } from './clip-list.ts'

/**
 * The layout of the pages of a word's list (FORMAT.md, "Lists of a word's clips"), written once for
 * the writer and the reader. A page is one JSON document with each item on a line of its own, so
 * that it can be cut without being parsed.
 */

/** How many items a page holds; the last may hold fewer. */
export const itemsPerPage = 500
/** How many items lie between two checkpoints. */
export const itemsPerStep = 16
/** How many numbers of the checkpoints hold the digest of a page. */
const digestNumbers = 2
/** How many numbers the checkpoints of a full page are. */
const numbersPerFullPage = Math.ceil(itemsPerPage / itemsPerStep) + 1 + digestNumbers

/** How many pages a segment of this many items has. */
export function pagesOf(count: number): number {
  return Math.ceil(count / itemsPerPage)
}

/** What stands before the items of a page. */
export interface PageHead {
  wordId: number
  language: string
  /** Counted from 1. */
  page: number
  pages: number
}

export function pageStart({ wordId, language, page, pages }: PageHead): string {
  return `${JSON.stringify({ wordId, language, page, pages }).slice(0, -1)},"items":[\n`
}
export const separator = Buffer.from(',\n')
export const pageEnd = Buffer.from('\n]}\n')

/** How every item begins: the clip id follows, at the same place in each. */
export const itemOpening = '{"clip":"'
export const idFrom = itemOpening.length
export const idTo = idFrom + idLength
/** How the item begins once the JSON of the clip stands in the place of its id. */
export const shownOpening = itemOpening.slice(0, -1) + clipOpening

/** How many bytes each page of a segment of this many items has. */
export function pageSizesOf({ checkpoints }: ListSegment, count: number): number[] {
  return Array.from({ length: pagesOf(count) }, (_, page) => {
    const items = Math.min(itemsPerPage, count - page * itemsPerPage)
    return checkpoints[page * numbersPerFullPage + Math.ceil(items / itemsPerStep)]! + pageEnd.length
  })
}

/**
 * Neighbouring items of one page: the bytes between two checkpoints, and which items are wanted.
 */
export interface PageRun {
  path: string
  from: number
  to: number
  /** Items before the wanted ones. */
  skip: number
  count: number
  /** Of the whole page. */
  digest: PageDigest
}

/** Where the items `start … end` of a segment of `count` items stand, page by page. */
export function runsOf(
  { language, wordId }: { language: string; wordId: number },
  { digest, checkpoints }: ListSegment,
  count: number,
  start: number,
  end: number,
): PageRun[] {
  const runs: PageRun[] = []
  for (let from = start; from < end;) {
    const page = Math.floor(from / itemsPerPage)
    const pageFirst = page * itemsPerPage
    const pageCount = Math.min(itemsPerPage, count - pageFirst)
    const to = Math.min(end, pageFirst + pageCount)
    const steps = page * numbersPerFullPage
    const pageSteps = Math.ceil(pageCount / itemsPerStep)
    const firstStep = Math.floor((from - pageFirst) / itemsPerStep)
    runs.push({
      path: wordClipsPath(language, wordId, digest, page + 1),
      from: checkpoints[steps + firstStep]!,
      to: checkpoints[steps + Math.ceil((to - pageFirst) / itemsPerStep)]!,
      skip: from - pageFirst - firstStep * itemsPerStep,
      count: to - from,
      digest: { high: checkpoints[steps + pageSteps + 1]!, low: checkpoints[steps + pageSteps + 2]! },
    })
    from = to
  }
  return runs
}
