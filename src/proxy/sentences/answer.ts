import { isError } from '#contract/errors.ts'
import { levelMask, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultLanguage, limitRange } from '#contract/parameters.ts'
import { toByteText } from '#kit/byte-text.ts'
import { TranscriptReader } from '#release/clips/transcript-reader.ts'
import { endTerm } from '#release/sentences/layout.ts'
import type { Release } from '#release/release.ts'
import { placeOf, type PostingList } from '#release/sentences/posting-list.ts'
import { Body } from '../http/body.ts'
import type { Context, Handler } from '../http/handler.ts'
import { nextCursor, readPage, type PageRequest } from '../http/pagination.ts'
import { ListCache } from './list-cache.ts'
import { parseQuery, toQuery } from './query.ts'
import { rankPage, type Hit } from './rank.ts'
import { runsIn, searchSegments } from './search.ts'
import { showMatches } from './show-matches.ts'

type SentenceValues = ParameterValues<'searchSentences'>
type SentencePage = PageRequest<'searchSentences'>

interface Asked {
  values: SentenceValues
  page: SentencePage
  tokens: string[]
}

const lists = new ListCache()

/** GET /sentences (contract 1.6). */
export const searchSentences: Handler<SentenceValues, Asked> = {
  read(values, context) {
    const page = readPage('searchSentences', values, context, beginSearch)
    if (isError(page)) return page
    const tokens = parseQuery(page.bound.q, page.bound.language)
    return isError(tokens) ? tokens : { values, page, tokens }
  },
  async answer({ values, page: { bound, position }, tokens }, context) {
    const { release } = context
    const [start = 0] = position
    const limit = values.limit ?? limitRange.default
    const query = toQuery(tokens, bound.language, bound.match, release)
    const found = await searchSegments(query, release, lists, context.job)
    const page = rankPage(found, release, { levelMask: levelMask(bound.level), start, limit })
    const items = await itemsOf(page.hits, context)
    const end = start + limit
    const cursor = nextCursor('searchSentences', bound, end < page.totalCount ? [end] : null, context)
    return new Body(
      `{"items":[${items.join()}],"totalCount":${page.totalCount},"nextCursor":${JSON.stringify(cursor)}}`,
    )
  },
}

/** The defaults. `q` is required on the first page, so its default is never searched for. */
function beginSearch(): SentencePage['bound'] {
  return { q: '', language: defaultLanguage, match: 'forms', level: [...levels] }
}

/** What an item takes, in the units of a job. */
const workPerItem = 30_000
const workPerByte = 2

/** Clips as an answer shows them, each with the first matches in it. */
async function itemsOf(hits: readonly Hit[], { release, files, job }: Context): Promise<string[]> {
  const reading = hits.map(async ({ row }) => files.read(release, release.clips.transcriptFile(row)))
  // If one fails, the others end first: the next request would share those that go on.
  await Promise.allSettled(reading)
  const transcripts = await Promise.all(reading)
  const items: string[] = []
  for (const [i, hit] of hits.entries()) {
    const { byteText } = transcripts[i]!
    const ends = await lists.list(release, hit.found.segment, endTerm, job)
    items.push(itemOf(hit, new TranscriptReader(byteText), ends, release))
    await job.spend(workPerItem + byteText.length * workPerByte)
  }
  return items
}

/** @param ends the positions of the ends of sentences in the segment */
function itemOf(
  { found: { segment, tokens }, clip, row }: Hit,
  transcript: TranscriptReader,
  ends: PostingList,
  { clips }: Release,
): string {
  const runs = runsIn(clip, tokens, segment)
  const first = segment.positionAt[clip]!
  const endsBefore = placeOf(first, ends, 0)
  // The ends of sentences take positions, too.
  const numberOf = (position: number) => position - first - (placeOf(position, ends, endsBefore) - endsBefore)
  const numbered = runs.map(({ start, isExact }) => ({ token: numberOf(start), isExact }))
  const matches = showMatches(numbered, tokens.length, transcript, segment.entry.language)
  const shown = toByteText(JSON.stringify(matches))
  return `{"clip":${clips.json(row)},"matchCount":${runs.length},"matches":${shown}}`
}
