import described from './headers.json' with { type: 'json' }

/** The value of `Cache-Control` for each cache class. */
export const cacheClasses = {
  immutable: 'private, max-age=31536000, immutable',
  hours: 'private, max-age=3600, stale-while-revalidate=86400',
  minutes: 'public, max-age=300, stale-while-revalidate=86400',
  never: 'no-store',
} as const

export type CacheClass = keyof typeof cacheClasses

/** Descriptions of the other response headers in the OpenAPI document. */
export const answerHeaders = described

/** Headers with the state of the minute window. */
export const windowHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

/** The response headers that pages from other origins can read. */
export const exposedHeaders = [...windowHeaders, 'Retry-After', 'ETag', 'X-Request-Id'].join(', ')
