import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi'
import { errorCodes, errorSchema, type ErrorCode } from './errors.ts'
import { answerHeaders, cacheClasses, windowHeaders, type CacheClass } from './headers.ts'
import { levelSchema } from './levels.ts'
import described from './openapi.json' with { type: 'json' }
import { basePath, operations, type Operation } from './operations.ts'
import { parameters, type Parameter } from './parameters.ts'

/** The error codes that any operation can return. */
export const anyRequestCodes: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_too_large',
]

/**
 * Returns the OpenAPI 3.1 document, from the table of operations and the schemas of requests.
 *
 * @param origin such as `https://clips.example`; without it, paths are relative to the document
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

/** Replacer for `JSON.stringify` that removes keywords which the document must not contain. */
function toPublishedValue(key: string, value: unknown): unknown {
  // Fields can be added under /v1, so clients must accept unknown fields.
  if (key === 'additionalProperties' && value === false) return undefined
  // zod-openapi 6.0.2 does not remove `param` from references.
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
      // Cacheable responses support conditional requests (RFC 9110 section 13.1.2).
      header: parameterSchemas(
        operation.cache === 'never' ? {} : { 'If-None-Match': parameters.ifNoneMatch },
      ),
    },
    responses: responsesOf(operation),
  }
}

/** Returns parameters in the form that zod-openapi requires. */
function parameterSchemas(parameters: Record<string, Parameter>) {
  const inCursor = parameters['cursor']?.boundNames ?? []
  const schemas = Object.entries(parameters).map(([name, { schema, description, list, isRequired }]) => {
    const param = { description, ...(list && ({ style: 'form', explode: false } as const)) }
    const isAlwaysRequired = isRequired && !inCursor.includes(name)
    return [name, (isAlwaysRequired ? schema : schema.optional()).meta({ param })]
  })
  return z.object(Object.fromEntries(schemas))
}

/** Returns the shared response headers. Window headers are optional on errors. */
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

/** Returns references to header components; those of the window get `windowSuffix`. */
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
  // Public operations work without the store, and the window is then unknown.
  const windowSuffix = access === 'public' ? '-if-known' : ''
  const headers = headerRefs(cache, windowSuffix, cache === 'never' ? [] : ['ETag'])
  return {
    200: { description: summary, headers, content: { 'application/json': { schema } } },
    ...(cache === 'never' ? {} : { 304: { description: 'Your copy is current.', headers } }),
    ...errorResponses([...codes, ...anyRequestCodes]),
  }
}

/** Headers of errors with a particular status. */
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
        headers: headerRefs('never', '-if-known', ['Link', ...(headersOfStatus[status] ?? [])]),
        content: { 'application/json': { schema: errorSchema } },
      },
    ]),
  )
}
