import { z } from 'zod'
import type { Parameter } from './parameters.ts'

/** The state of the minute window, on every answer whose window can be known (spec 8). */
export const windowHeaders = {
  'X-RateLimit-Limit': z.int().min(1).meta({ description: 'Requests allowed in a minute.', example: 60 }),
  'X-RateLimit-Remaining': z.int().min(0).meta({ description: 'Requests left in this minute.', example: 59 }),
  'X-RateLimit-Reset': z
    .int()
    .min(0)
    .meta({ description: 'When the minute ends, in Unix seconds.', example: 1772337660 }),
}

/** Identifies the request in the answer and in the logs of the service. */
export const requestIdHeader = z.string().meta({
  description:
    'The id of this request. Give it to the operator when you ask about the request: it is also in the logs.',
  example: '9f1c7a52-6f0b-4f0e-8a51-3c1d8a7c2b90',
})

export const retryAfterHeader = z
  .int()
  .min(1)
  .meta({ description: 'Seconds to wait. Only on 429.', example: 12 })

export const etagHeader = z
  .string()
  .regex(/^"[^"]+"$/)
  .meta({
    description:
      'The version of the response. Send it back in `If-None-Match` to get 304 while your copy is current.',
    example: '"Jj7bRk0yYdXwU2nC"',
  })

export const allowHeader = z
  .string()
  .meta({ description: 'The methods that the path accepts.', example: 'GET, HEAD, OPTIONS' })

export const authenticateHeader = z.string().meta({ description: 'How to send the key.', example: 'Bearer' })

/** Of requests for answers that may be cached (RFC 9110 section 13.1.2). */
export const conditionalHeaders: Record<string, Parameter> = {
  'If-None-Match': {
    schema: z.string(),
    description:
      'The `ETag` of your copy, or several of them, separated by commas. `*` matches any. If one of them is current, the response is 304.',
  },
}

/** The headers that a page of another origin may read (contract 1.4). */
export const exposedHeaders = [...Object.keys(windowHeaders), 'Retry-After', 'ETag'].join(', ')
