import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import type { DataFile } from '#release/clips/reader.ts'
import type { CacheCount } from '../cache-count.ts'
import { cachedBody, type CachedBody } from '../http/body.ts'

/** How much of the published files is kept in memory, codings included. */
const maxSizeBytes = 64 * 1024 * 1024

/**
 * The published files that were asked for lately. A name never changes its bytes, so what is kept
 * stays right from release to release.
 */
export class FileCache {
  readonly #cache = new LRUCache<string, CachedBody>({
    maxSize: maxSizeBytes,
    // Room for the codings that will be kept beside the bytes.
    sizeCalculation: ({ identity }, path) => 2 * identity.length + path.length + 256,
  })
  readonly #count: CacheCount
  /** Those on their way: who asks meanwhile waits for the same. */
  readonly #reading = new Map<string, Promise<CachedBody>>()

  constructor(count: CacheCount = { hits: 0, misses: 0 }) {
    this.#count = count
  }

  /**
   * The bytes of a file under `data/`: at once where they are kept, else read.
   *
   * @throws {Error} the tree does not give it, or gives other bytes: callers would keep them for a
   * year
   */
  read(release: Release, file: DataFile): CachedBody | Promise<CachedBody> {
    const kept = this.#cache.get(file.path)
    if (kept) this.#count.hits++
    else this.#count.misses++
    return kept ?? this.#reading.get(file.path) ?? this.#readFile(release, file)
  }

  #readFile(release: Release, file: DataFile): Promise<CachedBody> {
    const reading = readWhole(release, file)
      .then((body) => {
        this.#cache.set(file.path, body)
        return body
      })
      .finally(() => this.#reading.delete(file.path))
    this.#reading.set(file.path, reading)
    return reading
  }
}

async function readWhole(release: Release, { path, digest }: DataFile): Promise<CachedBody> {
  return cachedBody(await release.read(path, digest))
}
