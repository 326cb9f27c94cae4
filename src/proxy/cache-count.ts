/** How often a cache had a value and how often it did not. */
export interface CacheCount {
  hits: number
  misses: number
}

/** The counts of the proxy's caches: published files, and answers that are written for requests. */
export type CacheCounts = ReturnType<typeof newCacheCounts>

export function newCacheCounts() {
  const none = (): CacheCount => ({ hits: 0, misses: 0 })
  return { files: none(), answers: none() }
}
