import type { z } from 'zod'
import type { CacheClass } from './cache-classes.ts'
import { changesSchema } from './changes.ts'
import { clipBatchSchema, clipSchema } from './clip.ts'
import { corpusSchema } from './corpus.ts'
import type { ErrorCode } from './errors.ts'
import { examinedPositionsMax, feedPageSchema } from './feed.ts'
import { cursorOf, pathParameters, queryParameters as query, type Parameter } from './parameters.ts'
import { sentencePageSchema } from './sentences.ts'
import { transcriptSchema } from './transcript.ts'
import { usageSchema } from './usage.ts'
import { wordClipPageSchema } from './word-clips.ts'
import { wordDetailSchema, wordPageSchema } from './word.ts'

/** The base of every path. */
export const basePath = '/v1'

/**
 * One row of the table that the router, the OpenAPI document, the docs and the tests are made from.
 */
interface Row {
  id: string
  /** Relative to `basePath`. */
  path: string
  summary: string
  description: string
  /** The part of the reference that it belongs to. */
  tag: 'clips' | 'words' | 'service'
  pathParameters: Record<string, Parameter>
  /** By the name in the query. */
  queryParameters: Record<string, Parameter>
  /** The record it answers with; null for the OpenAPI document itself. */
  record: z.ZodType | null
  /** Whether it needs a key; without one it spends the window of the client's address. */
  access: 'key' | 'public'
  /**
   * What a request spends: a look-up of the quota and a place in the window, only the place, or
   * nothing.
   */
  metered: 'lookup' | 'window' | 'nothing'
  cache: CacheClass
  /** The error codes that it can answer with, besides those of every request. */
  codes: readonly ErrorCode[]
}

const keyedCodes: readonly ErrorCode[] = [
  'invalid_parameter',
  'invalid_key',
  'rate_limited',
  'quota_exceeded',
  'internal',
  'unavailable',
]

const withoutParameters = { pathParameters: {}, queryParameters: {} } as const
const lookUp = { access: 'key', metered: 'lookup' } as const
const open = { access: 'public', metered: 'window', cache: 'minutes' } as const

const table = [
  {
    id: 'getFeed',
    path: '/feed',
    tag: 'clips',
    summary: 'Get a shuffled feed of clips',
    description: `Returns every clip in a language once, page by page, in an order determined by the language and the seed. Where possible, each clip comes with a focus word. With a filter such as \`clipLevel\` or \`minKnownShare\`, the service examines at most ${examinedPositionsMax.toLocaleString('en')} positions of the shuffle for each page. A page can therefore have fewer items than \`limit\`, or none. The feed ends when \`nextCursor\` is null.`,
    pathParameters: {},
    queryParameters: {
      language: query.listLanguage,
      gloss: query.gloss,
      level: query.level,
      exclude: query.exclude,
      clipLevel: query.clipLevel,
      channel: query.channel,
      maxDurationS: query.maxDurationS,
      hasFocusWord: query.hasFocusWord,
      context: query.context,
      known: query.known,
      minKnownShare: query.minKnownShare,
      maxUnknown: query.maxUnknown,
      seed: query.seed,
      limit: query.limit,
      cursor: cursorOf('language', 'seed'),
    },
    record: feedPageSchema,
    ...lookUp,
    cache: 'never',
    codes: keyedCodes,
  },
  {
    id: 'listClips',
    path: '/clips',
    tag: 'clips',
    summary: 'Get multiple clips',
    description:
      'Returns the clips with these ids, each once, in the order in which you list them. `missing` contains the ids that were not found. The request uses only one look-up for all ids. `gloss` is accepted but has no effect, because clips have no meanings.',
    pathParameters: {},
    queryParameters: { ids: query.clipIds, gloss: query.gloss },
    record: clipBatchSchema,
    ...lookUp,
    cache: 'hours',
    codes: keyedCodes,
  },
  {
    id: 'getClip',
    path: '/clips/{clipId}',
    tag: 'clips',
    summary: 'Get one clip',
    description:
      'Returns the metadata of the clip with this clip id or video id. A published clip does not change unless the operator replaces it. `gloss` is accepted but has no effect, because clips have no meanings.',
    pathParameters: { clipId: pathParameters.clipId },
    queryParameters: { gloss: query.gloss },
    record: clipSchema,
    ...lookUp,
    cache: 'immutable',
    codes: [...keyedCodes, 'not_found'],
  },
  {
    id: 'getTranscript',
    path: '/clips/{clipId}/transcript',
    tag: 'clips',
    summary: "Get a clip's transcript",
    description:
      "Returns a clip's lines as shown on screen and the words in each line, with all times in seconds. A published transcript does not change unless the operator replaces its clip.",
    pathParameters: { clipId: pathParameters.clipId },
    queryParameters: {},
    record: transcriptSchema,
    ...lookUp,
    cache: 'immutable',
    codes: [...keyedCodes, 'not_found'],
  },
  {
    id: 'listWords',
    path: '/words',
    tag: 'words',
    summary: 'Search words',
    description:
      'Returns words from the catalogue, each with the number of clips in which it is said. An exact match comes first, then words that begin with `q`, then words that contain `q`. Within each group, words with more clips come first. With `ids`, the response contains the words with these ids, for example all words in a transcript.',
    pathParameters: {},
    queryParameters: {
      q: query.q,
      language: query.listLanguage,
      gloss: query.gloss,
      level: query.wordLevels,
      hasClips: query.hasClips,
      ids: query.wordIds,
      limit: query.wordsLimit,
      cursor: cursorOf('q', 'language', 'level', 'hasClips'),
    },
    record: wordPageSchema,
    ...lookUp,
    cache: 'hours',
    codes: keyedCodes,
  },
  {
    id: 'getWord',
    path: '/words/{word}',
    tag: 'words',
    summary: 'Get one word',
    description: 'Returns a word with its language and its forms.',
    pathParameters: { word: pathParameters.word },
    queryParameters: { language: query.language, gloss: query.gloss },
    record: wordDetailSchema,
    ...lookUp,
    cache: 'hours',
    codes: [...keyedCodes, 'not_found'],
  },
  {
    id: 'listWordClips',
    path: '/words/{word}/clips',
    tag: 'words',
    summary: 'Find clips with a word',
    description:
      'Returns the clips in which the word is said, easiest first. Clips are sorted by level, then by the share of words that a learner at the level of the requested word knows, then by the number of times the word is said in the clip.',
    pathParameters: { word: pathParameters.word },
    queryParameters: {
      language: query.listLanguage,
      gloss: query.gloss,
      level: query.clipLevel,
      known: query.known,
      minKnownShare: query.minKnownShare,
      maxUnknown: query.maxUnknown,
      limit: query.limit,
      cursor: cursorOf('word', 'language', 'level'),
    },
    record: wordClipPageSchema,
    ...lookUp,
    cache: 'hours',
    codes: [...keyedCodes, 'not_found'],
  },
  {
    id: 'searchSentences',
    path: '/sentences',
    tag: 'clips',
    summary: 'Search sentences',
    description:
      'Returns the clips in which your phrase is spoken, in the same form or in other forms, with the time of each match. A match can continue on the next line, but it cannot cross the end of a sentence. Clips are sorted by level, easiest first, and then by the number of matches.',
    pathParameters: {},
    queryParameters: {
      q: query.sentenceQ,
      language: query.listLanguage,
      match: query.match,
      level: query.clipLevel,
      limit: query.limit,
      cursor: cursorOf('q', 'language', 'match', 'level'),
    },
    record: sentencePageSchema,
    ...lookUp,
    cache: 'hours',
    codes: keyedCodes,
  },
  {
    id: 'getCorpus',
    path: '/corpus',
    tag: 'service',
    summary: 'Get corpus size and coverage',
    description:
      'Returns the number of clips and words in the current release, by language and level. No key is required.',
    ...withoutParameters,
    record: corpusSchema,
    ...open,
    codes: ['invalid_parameter', 'rate_limited', 'internal', 'unavailable'],
  },
  {
    id: 'getChanges',
    path: '/changes',
    tag: 'service',
    summary: 'Get changes since a release',
    description:
      'Returns the clips and words that differ between the release in `since` and the current release. If you cache clips, delete your copies of the clips in `changed` and `withdrawn`. At least the last 30 releases are available. For any other release, the response is 404. After a 404, start again with the release from `/corpus`. No key is required.',
    pathParameters: {},
    queryParameters: { since: query.since },
    record: changesSchema,
    ...open,
    codes: ['invalid_parameter', 'not_found', 'rate_limited', 'internal', 'unavailable'],
  },
  {
    id: 'getUsage',
    path: '/usage',
    tag: 'service',
    summary: "Get an account's usage",
    description:
      "Returns the account's billing period, the number of look-ups counted in it, and the time at which the count resets. This request counts against neither the rate limit nor the quota.",
    ...withoutParameters,
    record: usageSchema,
    access: 'key',
    metered: 'nothing',
    cache: 'never',
    codes: ['invalid_parameter', 'invalid_key', 'internal', 'unavailable'],
  },
  {
    id: 'getOpenApi',
    path: '/openapi.json',
    tag: 'service',
    summary: 'Get the OpenAPI document',
    description: 'Returns the OpenAPI 3.1 document of the API. No key is required.',
    ...withoutParameters,
    record: null,
    ...open,
    codes: ['invalid_parameter', 'rate_limited', 'internal'],
  },
] as const satisfies readonly Row[]

/** A row of the table with its literal types. */
export type OperationRow = (typeof table)[number]
export type OperationId = OperationRow['id']
export interface Operation extends Row {
  id: OperationId
}

export const operations: readonly Operation[] = table
