import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi'
import { errorCodes, errorSchema, type ErrorCode } from './errors.ts'
import { answerHeaders, cacheClasses, windowHeaders, type CacheClass } from './headers.ts'
import { levelSchema } from './levels.ts'
import described from './openapi.json' with { type: 'json' }
import { basePath, operations, type Operation } from './operations.ts'
import { parameters, type Parameter } from './parameters.ts'

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
    ...described,
    servers: [{ url: origin + basePath }],
    security: [{ key: [] }],
    paths: Object.fromEntries(
      operations.map((operation) => [operation.path, { get: toOperationObject(operation) }]),
    ),
    components: {
      schemas: { Level: levelSchema },
      headers: headerComponents(),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
      },
    },
  })
  return JSON.parse(JSON.stringify(document, toPublishedValue)) as typeof document
}

/** A value in the document, for `JSON.stringify`; undefined for what is left out. */
function toPublishedValue(key: string, value: unknown): unknown {
  // Fields may be added under /v1, so callers must not refuse those that they do not know.
  if (key === 'additionalProperties' && value === false) return undefined
  // zod-openapi 6.0.2 leaves `param` in a schema that is a reference.
  return key === 'param' ? undefined : value
}

function toOperationObject(operation: Operation): ZodOpenApiOperationObject {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    ...(operation.access === 'public' ? { security: [] } : {}),
    requestParams: {
      path: parameterSchemas(operation.pathParameters),
      query: parameterSchemas(operation.queryParameters),
      // Of requests for answers that may be cached (RFC 9110 section 13.1.2).
      header: parameterSchemas(
        operation.cache === 'never' ? {} : { 'If-None-Match': parameters.ifNoneMatch },
      ),
    },
    responses: responsesOf(operation),
  }
}

/** Parameters as zod-openapi takes them. */
function parameterSchemas(parameters: Record<string, Parameter>) {
  const schemas = Object.entries(parameters).map(([name, { schema, description, list, isRequired }]) => {
    const param = { description, ...(list && ({ style: 'form', explode: false } as const)) }
    return [name, (isRequired ? schema : schema.optional()).meta({ param })]
  })
  return z.object(Object.fromEntries(schemas))
}

/** The headers that responses share. Those of the window are not on every error. */
function headerComponents() {
  const headers = Object.entries(answerHeaders)
  const ofCaching = Object.entries(cacheClasses).map(([name, value]) => [
    `Cache-Control-${name}`,
    { required: true, schema: { type: 'string', const: value } },
  ])
  return Object.fromEntries([
    ...headers.map(([name, header]) => [name, { required: true, ...header }]),
    ...windowHeaders.map((name) => [`${name}-if-known`, answerHeaders[name]]),
    ...ofCaching,
  ])
}

/** References to headers, some of the window, whose components may have a suffix, and others. */
function headerRefs(cache: CacheClass, windowSuffix: '' | '-if-known', others: readonly string[]) {
  const ref = (component: string) => ({ $ref: `#/components/headers/${component}` })
  return {
    ...Object.fromEntries(windowHeaders.map((name) => [name, ref(name + windowSuffix)])),
    'X-Request-Id': ref('X-Request-Id'),
    'Cache-Control': ref(`Cache-Control-${cache}`),
    ...Object.fromEntries(others.map((name) => [name, ref(name)])),
  }
}

function responsesOf({ record, summary, access, cache, codes }: Operation): ZodOpenApiResponsesObject {
  const schema =
    record ??
    z
      .looseObject({ openapi: z.string().meta({ description: 'The version of OpenAPI.' }) })
      .meta({ description: 'An OpenAPI 3.1 document.' })
  // Operations without a key are answered without counters, too; the window is then unknown.
  const windowSuffix = access === 'public' ? '-if-known' : ''
  const headers = headerRefs(cache, windowSuffix, cache === 'never' ? [] : ['ETag'])
  return {
    200: { description: summary, headers, content: { 'application/json': { schema } } },
    ...(cache === 'never' ? {} : { 304: { description: 'Your copy is current.', headers } }),
    ...errorResponses([...codes, ...anyRequestCodes]),
  }
}

/** The headers that only errors of a status have. */
const headersOfStatus: Readonly<Record<number, string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
}

function errorResponses(codes: readonly ErrorCode[]): ZodOpenApiResponsesObject {
  const all = codes.flatMap((code) => errorCodes[code].statuses.map((status) => ({ code, status })))
  const byStatus = Map.groupBy(all, ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => [
      status,
      {
        description: entries.map(({ code }) => `\`${code}\`: ${errorCodes[code].when}`).join(' '),
        headers: headerRefs('never', '-if-known', headersOfStatus[status] ?? []),
        content: { 'application/json': { schema: errorSchema } },
      },
    ]),
  )
}
