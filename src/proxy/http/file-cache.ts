import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import type { DataFile } from '#release/paths.ts'
import type { Client } from '#release/tree.ts'
import { Body, payloadOf } from './body.ts'

const maxSizeBytes = 64 * 1024 * 1024
/** For the entry itself and the header fields of its codings. */
const overheadBytes = 2048

/**
 * The published files that were requested recently. The bytes of a name never change, so a cached
 * file stays valid from release to release.
 */
export class FileCache {
  readonly #cache = new LRUCache<string, Body>({
    maxSize: maxSizeBytes,
    // The codings of JSON that will be made take less than the body itself.
    sizeCalculation: ({ sizeBytes }, path) => 2 * sizeBytes + path.length + overheadBytes,
  })
  readonly count = { hits: 0, misses: 0 }
  /** Files that are being read; further requests wait for the same read. */
  readonly #reading = new Map<string, Promise<Body>>()

  /**
   * A file under `data/`: at once if it is cached. Only the first client's request for a file
   * reaches an origin.
   *
   * @throws {TreeFault} the file cannot be read, or has other bytes, which callers would cache for
   * a year
   */
  read(release: Release, file: DataFile, client?: Client): Body | Promise<Body> {
    const cached = this.#cache.get(file.path)
    if (cached) this.count.hits++
    else this.count.misses++
    return cached ?? this.#reading.get(file.path) ?? this.#readFile(release, file, client)
  }

  /** A single `then`, because each further promise costs as much as a look-up. */
  #readFile(release: Release, file: DataFile, client?: Client): Promise<Body> {
    const { path, digest } = file
    const reading = release.read(file, client).then(
      (bytes) => {
        this.#reading.delete(path)
        const body = new Body(payloadOf(bytes), digest)
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
