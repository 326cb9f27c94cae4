import described from './headers.json' with { type: 'json' }

/** How long an answer may be cached (contract 1.4). */
export const cacheClasses = {
  immutable: 'private, max-age=31536000, immutable',
  hours: 'private, max-age=3600, stale-while-revalidate=86400',
  minutes: 'public, max-age=300, stale-while-revalidate=86400',
  never: 'no-store',
} as const

export type CacheClass = keyof typeof cacheClasses

/** The other headers of answers, as the OpenAPI document describes them. */
export const answerHeaders = described

/** The state of the minute window, on every answer whose window can be known (spec 8). */
export const windowHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

/** The headers that a page of another origin may read (contract 1.4). */
export const exposedHeaders = [...windowHeaders, 'Retry-After', 'ETag', 'X-Request-Id'].join(', ')
