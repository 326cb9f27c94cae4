import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import type { EncodedBody } from '../handler.ts'

/** How much of the published files is kept in memory, codings included. */
const maxSizeBytes = 64 * 1024 * 1024

/** The published files that were asked for lately. A name never changes its bytes, so what is kept stays right from release to release. */
export class Bodies {
  readonly #cache = new LRUCache<string, EncodedBody>({
    maxSize: maxSizeBytes,
    // Room for the codings that will be kept beside the bytes.
    sizeCalculation: ({ identity }, path) => 2 * identity.length + path.length + 256,
  })

  /** The bytes of a file under `data/`, read once. @throws when the tree does not give it */
  async read(release: Release, path: string): Promise<EncodedBody> {
    const kept = this.#cache.get(path)
    if (kept) return kept
    const body: EncodedBody = { identity: await release.read(path), coded: new Map() }
    this.#cache.set(path, body)
    return body
  }
}
