import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi'
import { errorCodes, errorSchema, type ErrorCode } from './errors.ts'
import {
  answerHeaders,
  cacheHeaders,
  conditionalHeaders,
  windowHeaders,
  windowHeadersIfKnown,
} from './headers.ts'
import { levelSchema } from './levels.ts'
import { basePath, operations, type Operation } from './operations.ts'
import type { Parameter } from './parameters.ts'

const apiVersion = '1.1.0'

/** The error codes that any request can get, whatever its operation. */
export const anyRequestCodes: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_too_large',
]

/**
 * The OpenAPI 3.1 document, made from the operations table and the schemas that the code itself
 * checks with.
 *
 * @param origin where the API is, such as `https://clips.example`; relative to the document unless
 *   given
 */
export function openApiDocument(origin = '') {
  const document = createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Clip Lookup API',
      version: apiVersion,
      description:
        'A read-only JSON API for short language-learning videos and the words spoken in them. Times within a clip are in seconds. Ids, headwords and text are in NFC. Lengths are counted in code points.',
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: origin + basePath }],
    security: [{ key: [] }],
    tags: [
      { name: 'clips', description: 'Clips, their transcripts and the feed.' },
      { name: 'words', description: 'The catalogue of words, and the clips in which they are said.' },
      { name: 'service', description: 'The corpus, your usage and this document.' },
    ],
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { get: toOperationObject(operation) }]),
    ),
    components: {
      schemas: { Level: levelSchema },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
      },
    },
  })
  // Fields may be added under /v1, so callers must not refuse those that they do not know.
  for (const schema of Object.values(document.components?.schemas ?? {})) allowOtherFields(schema)
  // zod-openapi 6.0.2 leaves `param` in a schema that is a reference.
  for (const { get } of Object.values(document.paths ?? {}))
    for (const parameter of get?.parameters ?? [])
      if ('schema' in parameter) delete (parameter.schema as { param?: unknown }).param
  return document
}

/** Takes `additionalProperties: false` out of a schema and all within it. */
function allowOtherFields(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  const { additionalProperties } = schema as { additionalProperties?: unknown }
  if (additionalProperties === false)
    delete (schema as { additionalProperties?: unknown }).additionalProperties
  for (const inner of Object.values(schema)) allowOtherFields(inner)
}

function toOperationObject(operation: Operation): ZodOpenApiOperationObject {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    ...(operation.access === 'public' ? { security: [] } : {}),
    requestParams: {
      path: z.object(
        mapValues(operation.pathParameters, (parameter) => withParam(parameter, parameter.schema)),
      ),
      query: queryParams(operation.queryParameters),
      header: queryParams(operation.cache === 'never' ? {} : conditionalHeaders),
    },
    responses: responsesOf(operation),
  }
}

/** Optional parameters, except for the required ones. */
function queryParams(parameters: Record<string, Parameter>) {
  return z.object(
    mapValues(parameters, (parameter) =>
      withParam(parameter, parameter.isRequired ? parameter.schema : parameter.schema.optional()),
    ),
  )
}

function withParam<S extends z.ZodType>({ description, list }: Parameter, schema: S): S {
  return schema.meta({ param: { description, ...(list ? { style: 'form', explode: false } : {}) } })
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  const record =
    operation.record ??
    z.looseObject({ openapi: z.string() }).meta({ description: 'An OpenAPI 3.1 document.' })
  const headers = z.object({
    // Operations without a key are answered without counters, too; the window is then unknown.
    ...(operation.access === 'public' ? windowHeadersIfKnown : windowHeaders),
    'X-Request-Id': answerHeaders['X-Request-Id'],
    'Cache-Control': cacheHeaders[operation.cache],
    ...(operation.cache === 'never' ? {} : { ETag: answerHeaders.ETag }),
  })
  const success = {
    description: operation.summary,
    headers,
    content: { 'application/json': { schema: record } },
  }
  const notModified =
    operation.cache === 'never' ? {} : { 304: { description: 'Your copy is current.', headers } }
  return { 200: success, ...notModified, ...errorResponses([...operation.codes, ...anyRequestCodes]) }
}

function errorResponses(codes: readonly ErrorCode[]): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(
    codes.flatMap((code) => errorCodes[code].statuses.map((status) => ({ code, status }))),
    ({ status }) => status,
  )
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => [
      status,
      {
        description: entries.map(({ code }) => `\`${code}\`: ${errorCodes[code].when}`).join(' '),
        headers: z.object({
          ...windowHeadersIfKnown,
          'X-Request-Id': answerHeaders['X-Request-Id'],
          'Cache-Control': cacheHeaders.never,
          ...(status === 401 ? { 'WWW-Authenticate': answerHeaders['WWW-Authenticate'] } : {}),
          ...(status === 405 ? { Allow: answerHeaders.Allow } : {}),
          ...(status === 429 ? { 'Retry-After': answerHeaders['Retry-After'] } : {}),
        }),
        content: { 'application/json': { schema: errorSchema } },
      },
    ]),
  )
}
