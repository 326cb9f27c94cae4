/** How often a cache had a value and how often it did not. */
export interface CacheCount {
  hits: number
  misses: number
}

/** The counts of the proxy's caches: published files, and answers that are written for requests. */
export interface CacheCounts {
  files: CacheCount
  answers: CacheCount
}

export function newCacheCounts(): CacheCounts {
  return { files: { hits: 0, misses: 0 }, answers: { hits: 0, misses: 0 } }
}
