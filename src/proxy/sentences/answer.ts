import { LRUCache } from 'lru-cache'
import type { ErrorAnswer } from '#contract/errors.ts'
import { levels } from '#contract/levels.ts'
import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultLanguage, limitRange } from '#contract/parameters.ts'
import type { SentenceMatch } from '#contract/sentences.ts'
import { ByteReader } from '#kit/byte-reader.ts'
import { pieceOf } from '#kit/byte-writer.ts'
import { clipOpening } from '#release/clips/layout.ts'
import { toPageDigest } from '#release/page-digest.ts'
import type { Release } from '#release/release.ts'
import type { Segment } from '#release/sentences/reader.ts'
import { readSpeech } from '#release/sentences/speech.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import { isError, type Answer, type Context, type LookUp } from '../http/handler.ts'
import { Pagination, type PageRequest } from '../http/pagination.ts'
import { levelMask } from '../level-mask.ts'
import { runsIn, type Run } from './runs-in.ts'
import { openTerms, toQuery, type Query } from './open-query.ts'
import { parseQuery } from './parse-query.ts'
import { rankPage, type Hit } from './rank.ts'
import { searchSegments, type Found } from './search.ts'
import { SegmentCache } from './segment-cache.ts'
import { cueRange, showRuns, shownRuns } from './show-matches.ts'

const pagination = new Pagination('searchSentences')

type SentenceValues = ParameterValues<'searchSentences'>
type SentencePage = PageRequest<'searchSentences'>

/** The memory for the results of queries, so that the next page needs no new search. */
const foundSizeBytes = 16 * 1024 * 1024

const beforeItems = pieceOf('{"items":[')
const beforeClip = pieceOf(`{"clip":${clipOpening}`)
const comma = 44

/** GET /sentences (contract 1.6). */
export function prepareSentences(answers: AnswerCache) {
  const search = new SentenceSearch()
  return (values: SentenceValues, context: Context): ErrorAnswer | LookUp => {
    const request = pagination.read(values, context, beginSearch)
    if (isError(request)) return request
    const tokens = parseQuery(request.bound.q, request.bound.language)
    if (isError(tokens)) return tokens
    return () => {
      const key = pagination.cacheKey(values, request)
      return answers.get(context.release, key) ?? answerSentences(key, values, request, tokens, context)
    }
  }

  async function answerSentences(
    key: string,
    values: SentenceValues,
    { bound, position: [start = 0] }: SentencePage,
    tokens: string[],
    context: Context,
  ): Promise<Answer> {
    const { release } = context
    const limit = values.limit ?? limitRange.default
    const query = toQuery(tokens, bound.language, bound.match, release)
    const found = await search.find(query, release)
    const page = rankPage(found, release, { levelMask: levelMask(bound.level), start, limit })
    const items = await search.show(page.hits, found, query, release)
    const end = start + limit
    const nextCursor = pagination.nextCursor({ bound }, end < page.totalCount ? [end] : null, context)
    return answers.write(release, key, (out) => {
      out.piece(beforeItems)
      for (const [i, { row, matchCount, matches }] of items.entries()) {
        if (i > 0) out.byte(comma)
        out.piece(beforeClip)
        release.clips.writeRest(out, row)
        out.text(`,"matchCount":${matchCount},"matches":${JSON.stringify(matches)}}`)
      }
      out.text(`],"totalCount":${page.totalCount},"nextCursor":${JSON.stringify(nextCursor)}}`)
    })
  }
}

/** The defaults. `q` is required on the first page, so its default is never searched for. */
function beginSearch(): SentencePage['bound'] {
  return { q: '', language: defaultLanguage, match: 'forms', level: [...levels] }
}

interface Item {
  row: number
  matchCount: number
  matches: SentenceMatch[]
}

/** Searches segments. Caches what it has read, and recent results. */
class SentenceSearch {
  readonly #segments = new SegmentCache()
  readonly #found = new LRUCache<string, Found[]>({
    maxSize: foundSizeBytes,
    sizeCalculation: (found, key) =>
      found.reduce((sum, { clips }) => sum + clips.length * 8 + 200, key.length * 2 + 200),
  })
  #release: Release | null = null

  async find(query: Query, release: Release): Promise<Found[]> {
    if (this.#release !== release) {
      this.#release = release
      this.#found.clear()
    }
    const key = `${query.language}\0${query.terms.map((terms) => terms.join('\0')).join('\0\0')}`
    const known = this.#found.get(key)
    if (known) return known
    const found = await searchSegments(query, release, this.#segments)
    if (this.#release === release) this.#found.set(key, found)
    return found
  }

  async show(page: readonly Hit[], found: readonly Found[], query: Query, release: Release): Promise<Item[]> {
    const items = new Map<Hit, Promise<Item>>()
    for (const [i, { segment, clips }] of found.entries()) {
      const hits = page.filter((hit) => hit.segment === i)
      if (hits.length === 0) continue
      const tokens = await openTerms(query, segment, release, this.#segments)
      for (const hit of hits) {
        const clip = clips[hit.place]!
        const runs = runsIn(clip, tokens, segment)
        const item = this.#showClip({ segment, clip, row: hit.row }, runs, query, release)
        // Its error is thrown when its turn comes; until then nobody listens.
        item.catch(() => {})
        items.set(hit, item)
      }
    }
    return Promise.all(page.map((hit) => items.get(hit)!))
  }

  async #showClip(
    { segment, clip, row }: { segment: Segment; clip: number; row: number },
    runs: readonly Run[],
    { language, terms }: Query,
    release: Release,
  ): Promise<Item> {
    const block = await this.#segments.block(release, segment, clip)
    const speech = readSpeech(new ByteReader(block))
    const shown = shownRuns(runs, speech)
    const range = cueRange(shown, terms.length, speech)
    const { path, digest } = release.clips.transcriptFile(row)
    const bytes = await release.readRange(
      path,
      range.from,
      range.to,
      toPageDigest(Buffer.from(digest, 'base64url')),
    )
    return {
      row,
      matchCount: runs.length,
      matches: showRuns(shown, terms.length, { language, speech, range, bytes }),
    }
  }
}
