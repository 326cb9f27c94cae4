import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import type { DataFile } from '#release/paths.ts'
import type { Client } from '#release/tree.ts'
import type { CacheCount } from '../cache-count.ts'
import { cachedBody, type CachedBody } from '../http/body.ts'

/** The memory for published files, with their codings. */
const maxSizeBytes = 64 * 1024 * 1024

/**
 * The published files that were requested recently. The bytes of a name never change, so a cached
 * file stays valid from release to release.
 */
export class FileCache {
  readonly #cache = new LRUCache<string, CachedBody>({
    maxSize: maxSizeBytes,
    // Room for the codings that will be cached with the bytes.
    sizeCalculation: ({ identity }, path) => 2 * identity.length + path.length + 256,
  })
  readonly #count: CacheCount
  /** Files that are being read; further requests wait for the same read. */
  readonly #reading = new Map<string, Promise<CachedBody>>()

  constructor(count: CacheCount) {
    this.#count = count
  }

  /**
   * The bytes of a file under `data/`: at once if they are cached. Only the first client's request
   * for a file reaches an origin.
   *
   * @throws {Error} the file cannot be read, or has other bytes, which callers would cache for a
   * year
   */
  read(release: Release, file: DataFile, client?: Client): CachedBody | Promise<CachedBody> {
    const cached = this.#cache.get(file.path)
    if (cached) this.#count.hits++
    else this.#count.misses++
    return cached ?? this.#reading.get(file.path) ?? this.#readFile(release, file, client)
  }

  /** A single `then`, because each further promise costs as much as a look-up. */
  #readFile(release: Release, { path, digest }: DataFile, client?: Client): Promise<CachedBody> {
    const reading = release.read(path, digest, client).then(
      (bytes) => {
        this.#reading.delete(path)
        const body = cachedBody(bytes)
        this.#cache.set(path, body)
        return body
      },
      (error: Error) => {
        this.#reading.delete(path)
        throw error
      },
    )
    this.#reading.set(path, reading)
    return reading
  }
}
