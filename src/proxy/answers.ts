import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import { keptBody } from './body.ts'
import type { Answer } from './handler.ts'

/** How much of the answers is kept in memory, by operation. */
const maxSizeBytes = 32 * 1024 * 1024

/**
 * The answers given lately, each kept for as long as its release is in service: what is asked again is looked up once and coded once. Only answers that follow
 * from the release and the query alone belong here.
 */
export class Answers {
  #release: Release | null = null
  readonly #cache = new LRUCache<string, Answer>({
    maxSize: maxSizeBytes,
    // Room for a coding that will be kept beside the bytes.
    sizeCalculation: ({ body }, key) =>
      2 * (Buffer.isBuffer(body) ? body.length : body.identity.length) + 2 * key.length + 512,
  })

  /** The answer to a query, where it is kept. */
  get(release: Release, query: string): Answer | undefined {
    if (this.#release !== release) this.#begin(release)
    return this.#cache.get(query)
  }

  /** Keeps an answer. */
  keep(release: Release, query: string, identity: Buffer, digest: string): Answer {
    const answer: Answer = { body: keptBody(identity), digest }
    if (this.#release === release) this.#cache.set(query, answer)
    return answer
  }

  #begin(release: Release): void {
    this.#release = release
    this.#cache.clear()
  }
}
