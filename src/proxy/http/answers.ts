import { quickDigest } from '#kit/quick-digest.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import type { Release } from '#release/release.ts'
import { AskedAgain } from '../asked-again.ts'
import { keptBody, sizeOf, writtenBody } from './body.ts'
import type { Answer } from './handler.ts'

/** How much of the answers is kept in memory, by operation. */
const maxSizeBytes = 32 * 1024 * 1024

/**
 * The answers to what was asked more than once lately, each kept for as long as its release is in service: looked up once and coded once. Only answers that
 * follow from the release and the query alone belong here.
 */
export class Answers {
  #release: Release | null = null
  readonly #asked = new AskedAgain<Answer>({
    maxSizeBytes,
    // Room for a text and a coding that will be kept beside the bytes.
    sizeBytes: ({ body }, query) => 3 * sizeOf(body) + 2 * query.length + 512,
  })

  /** The answer to a query, where it is kept. */
  get(release: Release, query: string): Answer | undefined {
    if (this.#release !== release) this.#begin(release)
    return this.#asked.get(query)
  }

  /** The answer whose JSON was written, kept where it was asked for before. */
  take(release: Release, query: string, written: ByteWriter): Answer {
    return this.#take(release, query, written, { digest: quickDigest(written.view()) })
  }

  /** The same without an entity tag: for what callers are not to keep. */
  takeUntagged(release: Release, query: string, written: ByteWriter): Answer {
    return this.#take(release, query, written, {})
  }

  #take(release: Release, query: string, written: ByteWriter, tag: Pick<Answer, 'digest'>): Answer {
    if (this.#release !== release || !this.#asked.isWorthKeeping(query))
      return { body: writtenBody(written), ...tag }
    const answer: Answer = { body: keptBody(Buffer.from(written.view())), ...tag }
    this.#asked.keep(query, answer)
    return answer
  }

  #begin(release: Release): void {
    this.#release = release
    this.#asked.clear()
  }
}
