/** How often a cache had what it was asked for. */
export interface CacheCount {
  hits: number
  misses: number
}

/** The caches of a proxy, counted: published files, and answers made from the tables. */
export interface CacheCounts {
  files: CacheCount
  answers: CacheCount
}

export function newCacheCounts(): CacheCounts {
  return { files: { hits: 0, misses: 0 }, answers: { hits: 0, misses: 0 } }
}
