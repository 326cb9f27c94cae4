import type { z } from 'zod'
import { changesSchema } from './changes.ts'
import { clipBatchSchema, clipSchema } from './clip.ts'
import { corpusSchema } from './corpus.ts'
import type { ErrorCode } from './errors.ts'
import { examinedPositionsMax, feedPageSchema } from './feed.ts'
import type { CacheClass } from './headers.ts'
import descriptions from './descriptions.json' with { type: 'json' }
import { cursorOf, parameters, type Parameter } from './parameters.ts'
import { sentencePageSchema } from './sentences.ts'
import { transcriptSchema } from './transcript.ts'
import { usageSchema } from './usage.ts'
import { examinedItemsMax, wordClipPageSchema } from './word-clips.ts'
import { wordDetailSchema, wordPageSchema } from './word.ts'

/** The base of every path. */
export const basePath = '/v1'

/**
 * A row of the table of operations, from which the router, the OpenAPI document, the docs and the
 * tests are generated. Their descriptions are in descriptions.json.
 */
interface Row {
  id: keyof typeof descriptions.operations
  /** Relative to `basePath`. */
  path: string
  /** The section of the reference. */
  tag: 'clips' | 'words' | 'service'
  /** The parameters in the path and the query, keyed by name. */
  parameters: Record<string, Parameter>
  /** The schema of the 200 response; null for the OpenAPI document itself. */
  record: z.ZodType | null
  /** Whether a key is required. Without one, the window is that of the client's address. */
  access: 'key' | 'public'
  /**
   * The cost of a request: a unit of the quota and a place in the window (`lookup`), only the
   * place, or nothing.
   */
  cost: 'lookup' | 'window' | 'nothing'
  cache: CacheClass
  /** The error codes that it can return, besides those of every operation. */
  codes: readonly ErrorCode[]
}

const open = { access: 'public', cost: 'window', cache: 'minutes' } as const
const lookUp = {
  access: 'key',
  cost: 'lookup',
  cache: 'hours',
  codes: ['invalid_parameter', 'invalid_key', 'rate_limited', 'quota_exceeded', 'internal', 'unavailable'],
} as const

/** The filters for lists of clips, which are the same as for the feed. */
const filters = {
  exclude: parameters.exclude,
  channel: parameters.channel,
  maxDurationS: parameters.maxDurationS,
  known: parameters.known,
  minKnownShare: parameters.minKnownShare,
  maxUnknown: parameters.maxUnknown,
}

const table = [
  {
    id: 'getFeed',
    path: '/feed',
    tag: 'clips',
    parameters: {
      language: parameters.listLanguage,
      gloss: parameters.gloss,
      level: parameters.level,
      exclude: parameters.exclude,
      clipLevel: parameters.clipLevel,
      channel: parameters.channel,
      maxDurationS: parameters.maxDurationS,
      hasFocusWord: parameters.hasFocusWord,
      context: parameters.context,
      known: parameters.known,
      minKnownShare: parameters.minKnownShare,
      maxUnknown: parameters.maxUnknown,
      seed: parameters.seed,
      limit: parameters.limit,
      cursor: cursorOf('language', 'seed'),
    },
    record: feedPageSchema,
    ...lookUp,
    cache: 'never',
  },
  {
    id: 'listClips',
    path: '/clips',
    tag: 'clips',
    parameters: { ids: parameters.clipIds, gloss: parameters.gloss },
    record: clipBatchSchema,
    ...lookUp,
  },
  {
    id: 'getClip',
    path: '/clips/{clipId}',
    tag: 'clips',
    parameters: { clipId: parameters.clipId, gloss: parameters.gloss },
    record: clipSchema,
    ...lookUp,
    cache: 'immutable',
    codes: [...lookUp.codes, 'not_found'],
  },
  {
    id: 'getTranscript',
    path: '/clips/{clipId}/transcript',
    tag: 'clips',
    parameters: { clipId: parameters.clipId },
    record: transcriptSchema,
    ...lookUp,
    cache: 'immutable',
    codes: [...lookUp.codes, 'not_found'],
  },
  {
    id: 'listWords',
    path: '/words',
    tag: 'words',
    parameters: {
      q: parameters.q,
      in: parameters.searchIn,
      language: parameters.listLanguage,
      gloss: parameters.gloss,
      level: parameters.wordLevels,
      hasClips: parameters.hasClips,
      ids: parameters.wordIds,
      spellings: parameters.spellings,
      limit: parameters.wordsLimit,
      cursor: cursorOf('q', 'in', 'language', 'level', 'hasClips'),
    },
    record: wordPageSchema,
    ...lookUp,
  },
  {
    id: 'getWord',
    path: '/words/{word}',
    tag: 'words',
    parameters: { word: parameters.word, language: parameters.language, gloss: parameters.gloss },
    record: wordDetailSchema,
    ...lookUp,
    codes: [...lookUp.codes, 'not_found'],
  },
  {
    id: 'listWordClips',
    path: '/words/{word}/clips',
    tag: 'words',
    parameters: {
      word: parameters.word,
      language: parameters.listLanguage,
      gloss: parameters.gloss,
      level: parameters.clipLevel,
      ...filters,
      context: parameters.context,
      limit: parameters.limit,
      cursor: cursorOf('word', 'language', 'level'),
    },
    record: wordClipPageSchema,
    ...lookUp,
    codes: [...lookUp.codes, 'not_found'],
  },
  {
    id: 'searchSentences',
    path: '/sentences',
    tag: 'clips',
    parameters: {
      q: parameters.sentenceQ,
      language: parameters.listLanguage,
      gloss: parameters.gloss,
      match: parameters.match,
      level: parameters.clipLevel,
      ...filters,
      context: parameters.context,
      limit: parameters.limit,
      cursor: cursorOf('q', 'language', 'match', 'level'),
    },
    record: sentencePageSchema,
    ...lookUp,
  },
  {
    id: 'getCorpus',
    path: '/corpus',
    tag: 'service',
    parameters: {},
    record: corpusSchema,
    ...open,
    codes: ['invalid_parameter', 'rate_limited', 'internal', 'unavailable'],
  },
  {
    id: 'getChanges',
    path: '/changes',
    tag: 'service',
    parameters: { since: parameters.since },
    record: changesSchema,
    ...open,
    codes: ['invalid_parameter', 'not_found', 'rate_limited', 'internal', 'unavailable'],
  },
  {
    id: 'getUsage',
    path: '/usage',
    tag: 'service',
    parameters: {},
    record: usageSchema,
    access: 'key',
    cost: 'nothing',
    cache: 'never',
    codes: ['invalid_parameter', 'invalid_key', 'internal', 'unavailable'],
  },
  {
    id: 'getOpenApi',
    path: '/openapi.json',
    tag: 'service',
    parameters: {},
    record: null,
    ...open,
    codes: ['invalid_parameter', 'rate_limited', 'internal'],
  },
] as const satisfies readonly Row[]

/** A row of the table, with literal types. */
export type OperationRow = (typeof table)[number]
export type OperationId = OperationRow['id']

/** An operation with its descriptions, and its parameters divided into path and query. */
export interface Operation extends Row {
  summary: string
  description: string
  pathParameters: Record<string, Parameter>
  queryParameters: Record<string, Parameter>
}

export const operations: readonly Operation[] = table.map((row: Row) => {
  const { inPath = [], inQuery = [] } = Object.groupBy(Object.entries(row.parameters), ([name]) =>
    row.path.includes(`{${name}}`) ? 'inPath' : 'inQuery',
  )
  const { summary, description } = descriptions.operations[row.id]
  return {
    ...row,
    summary,
    description: description
      .replace('{examinedPositionsMax}', examinedPositionsMax.toLocaleString('en'))
      .replace('{examinedItemsMax}', examinedItemsMax.toLocaleString('en')),
    pathParameters: Object.fromEntries(inPath),
    queryParameters: Object.fromEntries(inQuery),
  }
})
