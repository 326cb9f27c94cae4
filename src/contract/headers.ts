import { z } from 'zod'
import { cacheClasses } from './cache-classes.ts'
import type { Parameter } from './parameters.ts'

/** A header that responses share, as a component of the OpenAPI document. */
function shared<S extends z.ZodType>(id: string, schema: S): S {
  return schema.meta({ header: { id } })
}

const windowSchemas = {
  'X-RateLimit-Limit': z.int().min(1).meta({ description: 'Requests allowed in a minute.', example: 60 }),
  'X-RateLimit-Remaining': z.int().min(0).meta({ description: 'Requests left in this minute.', example: 59 }),
  'X-RateLimit-Reset': z
    .int()
    .min(0)
    .meta({ description: 'When the minute ends, in Unix seconds.', example: 1772337660 }),
}

/** The state of the minute window, on every answer whose window can be known (spec 8). */
export const windowHeaders = mapHeaders(windowSchemas, shared<z.ZodType>)

/** The same on answers that are also given when it is not known. */
export const windowHeadersIfKnown = mapHeaders(windowSchemas, (name, schema) =>
  shared(`${name}-if-known`, schema.optional()),
)

/** By cache class. */
export const cacheHeaders = mapHeaders(cacheClasses, (name, value) =>
  shared(`Cache-Control-${name}`, z.literal(value)),
)

function mapHeaders<Name extends string, From, To>(
  headers: Record<Name, From>,
  map: (name: Name, value: From) => To,
): Record<Name, To> {
  const entries = Object.entries(headers) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, map(name, value)])) as Record<Name, To>
}

/** The other headers of answers. */
export const answerHeaders = mapHeaders(
  {
    'X-Request-Id': z.string().meta({
      description:
        'The id of this request. Include it when you contact the operator about the request. It also appears in the logs.',
      example: '9f1c7a52-6f0b-4f0e-8a51-3c1d8a7c2b90',
    }),
    'Retry-After': z
      .int()
      .min(1)
      .meta({ description: 'Number of seconds to wait. Present only on 429.', example: 12 }),
    ETag: z
      .string()
      .regex(/^"[^"]+"$/)
      .meta({
        description:
          'The version of the response. To check whether your copy is current, send this value as `If-None-Match`.',
        example: '"Jj7bRk0yYdXwU2nC"',
      }),
    Allow: z.string().meta({
      description: 'The methods that the path accepts.',
      example: 'GET, HEAD, OPTIONS',
    }),
    'WWW-Authenticate': z.string().meta({ description: 'How to send the key.', example: 'Bearer' }),
  },
  shared<z.ZodType>,
)

/** Of requests for answers that may be cached (RFC 9110 section 13.1.2). */
export const conditionalHeaders: Record<string, Parameter> = {
  'If-None-Match': {
    schema: z.string(),
    description:
      'The `ETag` of your copy, or multiple values separated by commas. `*` matches any copy. If one of the values is current, the response is 304.',
  },
}

/** The headers that a page of another origin may read (contract 1.4). */
export const exposedHeaders = [...Object.keys(windowHeaders), 'Retry-After', 'ETag', 'X-Request-Id'].join(
  ', ',
)
