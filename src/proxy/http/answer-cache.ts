import type { ByteWriter } from '#kit/byte-writer.ts'
import { quickDigest } from '#kit/quick-digest.ts'
import type { Release } from '#release/release.ts'
import type { CacheCount } from '../cache-count.ts'
import { RepeatCache } from '../repeat-cache.ts'
import { cachedBody, sizeOf, writtenBody } from './body.ts'
import type { Answer } from './handler.ts'

/** The memory for cached answers, for each operation. */
const maxSizeBytes = 32 * 1024 * 1024

/**
 * The answers of one operation that were asked for repeatedly: each is made and compressed once for
 * as long as its release is in service. Only answers that follow from the release and the key alone
 * belong here.
 */
export class AnswerCache {
  #release: Release | null = null
  readonly #answers = new RepeatCache<Answer>({
    maxSizeBytes,
    // Room for a text and a compressed form that will be cached beside the bytes.
    sizeBytes: ({ body }, key) => 3 * sizeOf(body) + 2 * key.length + 512,
  })

  readonly #count: CacheCount

  constructor(count: CacheCount = { hits: 0, misses: 0 }) {
    this.#count = count
  }

  /** The cached answer of a key (`Pagination.cacheKey`). */
  get(release: Release, key: string): Answer | undefined {
    if (this.#release !== release) this.#clear(release)
    const answer = this.#answers.get(key)
    if (answer) this.#count.hits++
    else this.#count.misses++
    return answer
  }

  /**
   * Makes an answer of the JSON that was written, and caches it if its key was asked for before.
   */
  create(release: Release, key: string, written: ByteWriter): Answer {
    return this.#create(release, key, written, { digest: quickDigest(written.view()) })
  }

  /** As `create`, without an entity tag: for answers that callers must not cache. */
  createUntagged(release: Release, key: string, written: ByteWriter): Answer {
    return this.#create(release, key, written, {})
  }

  #create(release: Release, key: string, written: ByteWriter, tag: Pick<Answer, 'digest'>): Answer {
    if (this.#release !== release || !this.#answers.admits(key)) return { body: writtenBody(written), ...tag }
    const answer: Answer = { body: cachedBody(Buffer.from(written.view())), ...tag }
    this.#answers.set(key, answer)
    return answer
  }

  #clear(release: Release): void {
    this.#release = release
    this.#answers.clear()
  }
}
