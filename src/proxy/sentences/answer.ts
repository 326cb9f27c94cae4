import { isError } from '#contract/errors.ts'
import { levelMask, levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { Transcript } from '#contract/transcript.ts'
import { toByteText } from '#kit/byte-text.ts'
import { endTerm } from '#release/sentences/layout.ts'
import { placeOf } from '#release/sentences/posting-list.ts'
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
    const items = await Promise.all(page.hits.map((hit) => itemOf(hit, context)))
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

/** A clip as an answer shows it, with the first matches in it. */
async function itemOf({ found, clip, row }: Hit, { release, job }: Context): Promise<string> {
  const { segment, tokens } = found
  const runs = runsIn(clip, tokens, segment)
  const ends = await lists.list(release, segment, endTerm, job)
  const first = segment.positionAt[clip]!
  const endsBefore = placeOf(first, ends, 0)
  // The ends of sentences take positions, too.
  const numberOf = (position: number) => position - first - (placeOf(position, ends, endsBefore) - endsBefore)
  const file = await release.read(release.clips.transcriptFile(row))
  const transcript = JSON.parse(file.toString()) as Transcript
  const numbered = runs.map(({ start, isExact }) => ({ token: numberOf(start), isExact }))
  const matches = toByteText(JSON.stringify(showMatches(numbered, tokens.length, transcript)))
  return `{"clip":${release.clips.json(row)},"matchCount":${runs.length},"matches":${matches}}`
}
