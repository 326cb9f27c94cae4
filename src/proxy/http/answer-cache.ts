import { ByteWriter } from '#kit/byte-writer.ts'
import { quickDigest } from '#kit/quick-digest.ts'
import type { Release } from '#release/release.ts'
import type { CacheCount } from '../cache-count.ts'
import { RepeatCache } from '../repeat-cache.ts'
import { cachedBody, sizeOf, writtenBody } from './body.ts'
import type { Answer } from './handler.ts'

/** The memory for cached answers, for each operation. */
const maxSizeBytes = 32 * 1024 * 1024

/** Answers are written here, one at a time: reused memory costs less than new memory. */
const out = new ByteWriter(64 * 1024)

/**
 * Makes the answers of one operation, and caches those that are requested repeatedly: each is
 * written and compressed once for as long as its release is in service. An answer must follow from
 * the release and the key alone.
 */
export class AnswerCache {
  #release: Release | null = null
  readonly #answers = new RepeatCache<Answer>({
    maxSizeBytes,
    // Room for the text and the compressed form that will be cached with the bytes.
    sizeBytes: ({ body }, key) => 3 * sizeOf(body) + 2 * key.length + 512,
  })
  readonly #count: CacheCount

  constructor(count: CacheCount) {
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
   * The answer of a key: the cached one, or one of the JSON that `write` writes. `isTagged` is
   * false for answers that callers must not cache.
   */
  answer(release: Release, key: string, write: (out: ByteWriter) => void, isTagged = true): Answer {
    return this.get(release, key) ?? this.write(release, key, write, isTagged)
  }

  /**
   * Makes an answer of the JSON that `write` writes, without looking for a cached one. Caches it if
   * its key was requested before.
   */
  write(release: Release, key: string, write: (out: ByteWriter) => void, isTagged = true): Answer {
    out.clear()
    write(out)
    const tag = isTagged ? { digest: quickDigest(out.view()) } : {}
    if (this.#release !== release || !this.#answers.admits(key)) return { body: writtenBody(out), ...tag }
    const answer: Answer = { body: cachedBody(out.view()), ...tag }
    this.#answers.set(key, answer)
    return answer
  }

  /** An answer that is neither cached nor tagged. */
  answerOnce(write: (out: ByteWriter) => void): Answer {
    out.clear()
    write(out)
    return { body: writtenBody(out) }
  }

  #clear(release: Release): void {
    this.#release = release
    this.#answers.clear()
  }
}
