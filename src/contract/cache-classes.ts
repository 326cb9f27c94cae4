/** How long an answer may be cached (contract 1.4). */
export const cacheClasses = {
  immutable: 'private, max-age=31536000, immutable',
  hours: 'private, max-age=3600, stale-while-revalidate=86400',
  minutes: 'public, max-age=300, stale-while-revalidate=86400',
  never: 'no-store',
} as const

export type CacheClass = keyof typeof cacheClasses
