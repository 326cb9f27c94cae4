import { isError } from '#contract/errors.ts'
import { examinedPositionsMax } from '#contract/feed.ts'
import type { Gloss } from '#contract/glosses.ts'
import { levelMask, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage, limitRange } from '#contract/parameters.ts'
import { toByteText, withCommas } from '#kit/byte-text.ts'
import type { TranscriptReader } from '#release/clips/transcript-reader.ts'
import { endTerm } from '#release/sentences/layout.ts'
import type { Release } from '#release/release.ts'
import { placeOf, type PostingList } from '#release/sentences/posting-list.ts'
import type { Segment } from '#release/sentences/reader.ts'
import { readFilter, workPerPage, type ClipFilter } from '../filter/clip-filter.ts'
import { fitFields, type Fit } from '../filter/known-words.ts'
import { Body } from '../http/body.ts'
import type { Context, Handler } from '../http/handler.ts'
import { nextCursor, readPage, type PageRequest } from '../http/pagination.ts'
import { mapTranscripts } from '../transcripts/map-transcripts.ts'
import { ListCache } from './list-cache.ts'
import { parseQuery, toQuery } from './query.ts'
import { rankPage, type Hit } from './rank.ts'
import { runsIn, searchSegments, type Found } from './search.ts'
import { showMatches } from './show-matches.ts'

type SentenceValues = ParameterValues<'searchSentences'>

interface Asked {
  values: SentenceValues
  page: PageRequest<'searchSentences'>
  tokens: string[]
  filter: ClipFilter
}

const lists = new ListCache()

/** GET /sentences (contract 1.6). */
export const searchSentences: Handler<SentenceValues, Asked> = {
  read(values, context) {
    // `q` is required on the first page, so its default is never searched for.
    const defaults = { q: '', language: defaultLanguage, match: 'forms' as const, level: [...levels] }
    const page = readPage('searchSentences', values, context, () => defaults)
    if (isError(page)) return page
    const tokens = parseQuery(page.boundValues.q, page.boundValues.language)
    if (isError(tokens)) return tokens
    const filter = readFilter(values, context.release, page.boundValues.language)
    return isError(filter) ? filter : { values, page, tokens, filter }
  },
  async answer({ values, page: { boundValues, position }, tokens, filter }, context) {
    const { release } = context
    const [start = 0] = position
    const limit = values.limit ?? limitRange.default
    const query = toQuery(tokens, boundValues.language, boundValues.match, release)
    const matches = await searchSegments(query, release, lists, context.job)
    const { hits, totalCount, next } = await takePage(
      matches,
      levelMask(boundValues.level),
      start,
      limit,
      filter,
      context,
    )
    const items = await itemsOf(hits, filter, values, context)
    const cursor = nextCursor('searchSentences', boundValues, next === null ? null : [next], context)
    const count = filter.isFiltering || filter.known ? null : totalCount
    return new Body(
      `{"items":[${withCommas(items)}],"totalCount":${count},"nextCursor":${JSON.stringify(cursor)}}`,
    )
  },
  isRepeatable: ({ filter }) => filter.known === null,
}

/** The number of clips to rank at a time when searching for those that pass the filter. */
const stepClips = 2_500

/**
 * Returns the clips from a position on: all of them, or those that pass the filter. A page with a
 * filter examines at most `examinedPositionsMax` clips, or fewer if they are long, so that its cost
 * is bounded. `next` is the start of the next page, or null after the last.
 */
async function takePage(
  matches: readonly Found[],
  mask: number,
  start: number,
  limit: number,
  filter: ClipFilter,
  { release, job }: Context,
): Promise<{ hits: Hit[]; totalCount: number; next: number | null }> {
  const step = filter.isFiltering ? stepClips : limit
  const end = start + (filter.isFiltering ? examinedPositionsMax : limit)
  const hits: Hit[] = []
  let totalCount = Infinity
  let work = 0
  for (let at = start; at < Math.min(end, totalCount); at += step) {
    if (work >= workPerPage) return { hits, totalCount, next: at }
    const workBefore = work
    const page = rankPage(matches, release, { levelMask: mask, start: at, limit: step })
    totalCount = page.totalCount
    for (const [i, hit] of page.hits.entries()) {
      work += filter.workOf(hit.row)
      if (!filter.accepts(hit.row)) continue
      if (hits.length === limit) return { hits, totalCount, next: at + i }
      hits.push(hit)
    }
    if (filter.isFiltering) await job.spend(work - workBefore)
  }
  return { hits, totalCount, next: end < totalCount ? end : null }
}

/** The cost of an item, in the units of a job. */
const workPerItem = 20_000
const workPerContext = 40_000

/** Returns the JSON of clips, each with its first matches, as byte texts. */
async function itemsOf(
  hits: readonly Hit[],
  filter: ClipFilter,
  { context: hasContext, gloss = defaultGloss }: SentenceValues,
  context: Context,
): Promise<string[]> {
  const { release, job } = context
  const ends = new Map<Segment, PostingList>()
  for (const { segment } of new Set(hits.map(({ segmentMatch }) => segmentMatch)))
    ends.set(segment, await lists.list(release, segment, endTerm, job))
  const rows = hits.map(({ row }) => row)
  const work = hasContext ? workPerContext : workPerItem
  return await mapTranscripts(rows, context, work, (transcript, i) => {
    const hit = hits[i]!
    const details = { fit: filter.fit(hit.row), gloss: hasContext ? gloss : null }
    return itemOf(hit, transcript, ends.get(hit.segmentMatch.segment)!, details, release)
  })
}

/** @param ends the positions of the ends of sentences in the segment */
function itemOf(
  { segmentMatch: { segment, path }, clip, row }: Hit,
  transcript: TranscriptReader,
  ends: PostingList,
  { fit, gloss }: { fit: Fit | null; gloss: Gloss | null },
  { clips }: Release,
): string {
  const runs = runsIn(clip, path, segment)
  const first = segment.positionAt[clip]!
  const endsBefore = placeOf(first, ends, 0)
  // The ends of sentences also take positions.
  const numberOf = (position: number) => position - first - (placeOf(position, ends, endsBefore) - endsBefore)
  const numberedRuns = runs.map(({ start, ...run }) => ({ token: numberOf(start), ...run }))
  const matches = showMatches(numberedRuns, transcript, segment.entry.language, gloss)
  const matchesJson = toByteText(JSON.stringify(matches))
  return `{"clip":${clips.json(row)},"matchCount":${runs.length},"matches":${matchesJson}${fitFields(fit)}}`
}
