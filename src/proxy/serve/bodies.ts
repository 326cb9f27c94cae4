import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import { keptBody, type KeptBody } from '../body.ts'

/** How much of the published files is kept in memory, codings included. */
const maxSizeBytes = 64 * 1024 * 1024

/** The published files that were asked for lately. A name never changes its bytes, so what is kept stays right from release to release. */
export class Bodies {
  readonly #cache = new LRUCache<string, KeptBody>({
    maxSize: maxSizeBytes,
    // Room for the codings that will be kept beside the bytes.
    sizeCalculation: ({ identity }, path) => 2 * identity.length + path.length + 256,
  })

  /** The bytes of a file under `data/`: at once where they are kept, else read. @throws when the tree does not give it */
  read(release: Release, path: string): KeptBody | Promise<KeptBody> {
    return this.#cache.get(path) ?? this.#readAnew(release, path)
  }

  async #readAnew(release: Release, path: string): Promise<KeptBody> {
    const body = keptBody(await release.read(path))
    this.#cache.set(path, body)
    return body
  }
}
