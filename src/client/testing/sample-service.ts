import {
  paths,
  queryParameters,
  type FeedClip,
  type FoundWord,
  type OperationId,
  type Transcript,
  type TranscriptWord,
  type Word,
  type WordDetail,
} from '../operations.ts'
import { separatorOf } from '../helpers/separator-of.ts'
import { wait } from '../wait.ts'
import { sampleData } from './sample-data.ts'

/** A response that replaces the next ones. /usage never gets a 429. */
export interface Fault {
  /** The status, or `network` for a request that fails without a response. */
  status: 429 | 500 | 503 | 'network'
  /** With 429: `rate_limited`, or `quota_exceeded`. */
  code?: string
  /** With 429: the seconds to wait; 1 by default. */
  retryAfter?: number
}

const release = '000001-00000000'
const codes = { 429: 'rate_limited', 500: 'internal', 503: 'unavailable' }

/** A refusal of a request: a status with an error. */
class Refusal extends Error {
  readonly status: number
  readonly error: object
  constructor(status: number, code: string, message: string, details: object = {}) {
    super(message)
    this.status = status
    this.error = { code, message, ...details }
  }
}

/**
 * A service in memory for the tests of apps: pass its `fetch` to a client. It holds 12 clips in
 * English and Japanese and their words. Searches are simpler than the real ones: they compare in
 * lower case, and sentences match as text. `known`, `context` and `gloss` are ignored, and of the
 * filters for clips, only `exclude` and `clipLevel` are applied.
 */
export class SampleService {
  /** The base URL for the client. No server exists there. */
  readonly baseUrl = 'http://sample.invalid/v1'
  /** The paths and queries of the requests, below the base URL. */
  readonly requests: string[] = []
  /** The time that every response takes, in milliseconds. */
  delayMs = 0
  #faults: Fault[] = []

  /** Makes the next requests fail: one, or `times`. */
  failNext(fault: Fault, times = 1): void {
    for (let i = 0; i < times; i++) this.#faults.push(fault)
  }

  /** Sends a request to the service, as the global `fetch` would. */
  readonly fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search, searchParams } = new URL(url instanceof Request ? url.url : url, this.baseUrl)
    const path = pathname.replace(/^.*?\/v1(?=\/)/, '')
    this.requests.push(path + search)
    if (this.delayMs > 0) await wait(this.delayMs, init.signal ?? undefined)
    try {
      // The service never refuses /usage if a window or the quota is used up.
      const isExempt = path === '/usage' && this.#faults[0]?.status === 429
      const fault = isExempt ? undefined : this.#faults.shift()
      if (fault) throw toRefusal(fault)
      return json(200, answer(path, searchParams))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return json(error.status, { error: error.error })
    }
  }
}

function toRefusal({ status, code, retryAfter = 1 }: Fault): Error {
  if (status === 'network') return new TypeError('the sample service does not respond')
  const details = status === 429 ? { retryAfter } : {}
  return new Refusal(status, code ?? codes[status], 'The test asked for this error.', details)
}

function json(status: number, body: object): Response {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' }
  return new Response(JSON.stringify(body), { status, headers })
}

function answer(path: string, query: URLSearchParams): object {
  const routes = Object.entries(paths) as [OperationId, string][]
  const matches = routes.map(([id, template]) => ({ id, match: pattern(template).exec(path) }))
  const route = matches.find(({ match }) => match)
  if (!route) throw new Refusal(404, 'not_found', `There is no ${path}.`)
  const unknown = [...query.keys()].find((name) => !queryParameters[route.id].includes(name))
  if (unknown !== undefined)
    throw new Refusal(400, 'invalid_parameter', `There is no parameter "${unknown}".`, { parameter: unknown })
  return handlers[route.id](query, decodeURIComponent(route.match![1] ?? ''))
}

function pattern(template: string): RegExp {
  return new RegExp(`^${template.replace('.', '\\.').replace(/\{\w+\}/, '([^/]+)')}$`)
}

type Handler = (query: URLSearchParams, name: string) => object

const handlers: Record<OperationId, Handler> = {
  getFeed(query) {
    const levels = list(query, 'clipLevel')
    const items = clipsFor(query)
      .filter(({ level }) => levels.length === 0 || levels.includes(level))
      .map((clip) => ({ clip, focusWord: sampleData.focusWords[clip.clipId] ?? null }))
    return { seed: query.get('seed') ?? 'sample', ...page(items, 'items', query) }
  },
  listClips(query) {
    const ids = list(query, 'ids')
    const clips = ids.map((id) => clipWith(id))
    const missing = ids.filter((_, i) => !clips[i])
    return { items: [...new Set(clips.filter(Boolean))], missing }
  },
  getClip: (_, id) => clipWith(id) ?? notFound('clip', id),
  getTranscript: (_, id) => transcriptOf(clipWith(id) ?? notFound('clip', id)),
  listWords(query) {
    if (query.has('ids') || query.has('spellings')) {
      const ids = list(query, 'ids').flatMap(
        (id) => sampleData.words.find(({ wordId }) => String(wordId) === id) ?? [],
      )
      const spelledWords = list(query, 'spellings').flatMap((spelling) => {
        const word = wordNamed(spelling, query)
        return word ? [{ ...toWord(word), spelling }] : []
      })
      const words = [...new Set(ids)].map(toWord).concat(spelledWords)
      return { words, totalCount: words.length, nextCursor: null }
    }
    const words = wordsFor(query)
    return { totalCount: words.length, ...page(words, 'words', query) }
  },
  getWord(query, name) {
    const word = wordNamed(name, query) ?? notFound('word', name)
    return { ...toWord(word), language: word.language, forms: word.forms }
  },
  listWordClips(query, name) {
    const word = wordNamed(name, query) ?? notFound('word', name)
    const items = clipsFor(query, word.language).flatMap((clip) => {
      const occurrences = occurrencesIn(transcriptOf(clip), word.wordId)
      if (occurrences.length === 0) return []
      return [
        { clip, knownShare: 1, occurrenceCount: occurrences.length, occurrences: occurrences.slice(0, 3) },
      ]
    })
    return { word: toWord(word), totalCount: items.length, ...page(items, 'items', query) }
  },
  searchSentences(query) {
    const q = (query.get('q') ?? '').toLowerCase()
    if (q === '') throw new Refusal(400, 'invalid_parameter', 'q is missing.', { parameter: 'q' })
    const items = clipsFor(query).flatMap((clip) => {
      const matches = transcriptOf(clip).cues.flatMap(({ text, tStart, tEnd }) => {
        const at = text.toLowerCase().indexOf(q)
        if (at < 0) return []
        const before = text.slice(0, at)
        const start = [...before].length
        return [{ tStart, tEnd, text, start, end: start + [...q].length, kind: 'exact' }]
      })
      return matches.length === 0 ? [] : [{ clip, matchCount: matches.length, matches: matches.slice(0, 3) }]
    })
    return { totalCount: items.length, ...page(items, 'items', query) }
  },
  getCorpus() {
    const counts = { clipCount: sampleData.clips.length, totalDurationS: 0, channelCount: 1 }
    return { release, builtAt: '2026-01-01T00:00:00.000Z', ...counts, glosses: ['en'], languages: [] }
  },
  getChanges(query) {
    const none = { added: [], changed: [], withdrawn: [] }
    return { from: query.get('since'), to: release, clips: none, words: none }
  },
  getUsage: () => ({
    plan: 'sample',
    periodStart: '2026-01-01T00:00:00.000Z',
    periodEnd: '2026-02-01T00:00:00.000Z',
    requests: 0,
    limit: null,
    rateLimitPerMinute: 600,
  }),
  getOpenApi: () => ({ openapi: '3.1.1' }),
}

function notFound(kind: string, name: string): never {
  throw new Refusal(404, 'not_found', `There is no ${kind} "${name}".`)
}

function list(query: URLSearchParams, name: string): string[] {
  const items = query.getAll(name).flatMap((text) => text.split(','))
  return [...new Set(items.map((item) => item.trim()).filter(Boolean))]
}

/** Returns a page with its cursor, which is the position of the next item. */
function page<Name extends string>(items: object[], name: Name, query: URLSearchParams) {
  const start = Number(query.get('cursor') ?? 0)
  const end = start + Number(query.get('limit') ?? 20)
  const nextCursor = end < items.length ? String(end) : null
  return { [name]: items.slice(start, end), nextCursor } as Record<Name, object[]> & {
    nextCursor: string | null
  }
}

function clipsFor(query: URLSearchParams, language = query.get('language') ?? 'en'): FeedClip[] {
  const excludedIds = list(query, 'exclude')
  return sampleData.clips
    .filter((clip) => clip.language === language)
    .filter(({ clipId, videoId }) => !excludedIds.includes(clipId) && !excludedIds.includes(videoId))
    .map((clip): FeedClip => {
      const { wordCount: _wordCount, indexedAt: _indexedAt, ...feedClip } = clip
      return feedClip
    })
}

function clipWith(id: string) {
  return sampleData.clips.find(({ clipId, videoId }) => clipId === id.toLowerCase() || videoId === id)
}

function transcriptOf({ clipId }: { clipId: string }): Transcript {
  return sampleData.transcripts.find((transcript) => transcript.clipId === clipId)!
}

/** Returns the record of a word in lists. Its clips are those of the sample. */
function toWord({ word, wordId, level, meaning }: WordDetail): Word {
  const clipCount = sampleData.transcripts.filter((each) => occurrencesIn(each, wordId).length > 0).length
  return { word, wordId, level, meaning, clipCount }
}

function wordNamed(name: string, query: URLSearchParams): WordDetail | undefined {
  const text = name.toLowerCase()
  const words = wordsIn(query)
  return (
    words.find(({ word }) => word.toLowerCase() === text) ??
    words.find(({ forms }) => forms.some((form) => form.toLowerCase() === text)) ??
    words.find(({ wordId }) => String(wordId) === name)
  )
}

function wordsIn(query: URLSearchParams): WordDetail[] {
  return sampleData.words.filter(({ language }) => language === (query.get('language') ?? 'en'))
}

function wordsFor(query: URLSearchParams): FoundWord[] {
  const q = (query.get('q') ?? '').toLowerCase()
  const levels = list(query, 'level')
  const rank = (text: string) => (text === q ? 0 : text.startsWith(q) ? 1 : text.includes(q) ? 2 : 4)
  const isInMeanings = query.get('in') === 'meanings'
  return wordsIn(query)
    .filter(({ level }) => levels.length === 0 || levels.includes(level))
    .map((word) => {
      const form = isInMeanings ? undefined : word.forms.find((each) => each.toLowerCase().startsWith(q))
      const ownRank = rank((isInMeanings ? word.meaning : word.word).toLowerCase())
      const byForm = ownRank === 4 && form !== undefined
      const record = byForm ? { ...toWord(word), matchedForm: form } : toWord(word)
      return { record, rank: byForm ? 3 : ownRank }
    })
    .filter((each) => each.rank < 4)
    .sort((a, b) => a.rank - b.rank || b.record.clipCount - a.record.clipCount)
    .map(({ record }) => record)
}

/**
 * Returns the occurrences of a word. The tokens of a phrase form one occurrence, and so do those
 * of a form in a language without spaces.
 */
function occurrencesIn({ cues, language }: Transcript, wordId: number) {
  const separator = separatorOf(language)
  const word = sampleData.words.find((each) => each.wordId === wordId)
  const isJoined = separator === '' || (word?.word.includes(' ') ?? false)
  return cues.flatMap(({ words, text }) => {
    const runs: TranscriptWord[][] = []
    words.forEach((token, i) => {
      if (!token.wordIds?.includes(wordId) || token.start === undefined) return
      if (isJoined && words[i - 1]?.wordIds?.includes(wordId) && runs.length > 0) runs.at(-1)!.push(token)
      else runs.push([token])
    })
    return runs.map((run) => {
      const [first, last] = [run[0]!, run.at(-1)!]
      const form = run.map((token) => token.text).join(separator)
      return { tStart: first.tStart, tEnd: last.tEnd, form, text, start: first.start!, end: last.end! }
    })
  })
}
