import { LRUCache } from 'lru-cache'
import type { ByteRange } from '#release/digested-file.ts'
import type { Release } from '#release/release.ts'
import { partBytes } from '#release/sentences/layout.ts'
import { readPostingList, type PostingList } from '#release/sentences/posting-list.ts'
import { termOfList, type Segment } from '#release/sentences/reader.ts'
import { FileCache } from '../http/caches.ts'
import type { Job } from '../turns.ts'

/** The memory for lists. The largest list of 15 million tokens takes 3 MB. */
const maxSizeBytes = 40 * 1024 * 1024
/** The size of an entry besides its bytes. */
const overheadBytes = 500

export const noPositions: PostingList = new Int32Array()

/** The memory for parts: 64 MB, the index of 20 million tokens. Each file counts twice. */
const maxPartsBytes = 2 * 64 * 1024 * 1024
/** The work of reading and checking a part: it takes as long as reading this many positions. */
const partWork = 50_000

/**
 * Recently read lists, and the parts from which they were read. A segment never changes, so entries
 * stay valid across releases.
 */
export class ListCache {
  readonly #lists = new LRUCache<string, PostingList>({
    maxSize: maxSizeBytes,
    sizeCalculation: ({ byteLength }) => byteLength + overheadBytes,
  })
  readonly #parts = new FileCache(maxPartsBytes)

  /**
   * Returns the positions of a term in a segment. @throws {TreeFault} the tree cannot provide them
   */
  async list(release: Release, segment: Segment, term: string, job: Job): Promise<PostingList> {
    const key = `${segment.entry.digest} ${term}`
    const cacheEntry = this.#lists.get(key)
    if (cacheEntry) return cacheEntry
    for (const range of segment.listsOf(term)) {
      const bytes = await this.#body(release, segment, range, job)
      const header = termOfList(bytes)
      // Another term may have the same hash.
      if (header.term !== term) continue
      const list = await job.run(readPostingList(bytes, header.at))
      this.#lists.set(key, list)
      return list
    }
    return noPositions
  }

  /** Returns bytes of the body of a segment, from each part that contains some of them. */
  async #body(release: Release, segment: Segment, { from, to }: ByteRange, job: Job): Promise<Buffer> {
    const first = Math.floor(from / partBytes)
    const parts = await Promise.all(
      Array.from({ length: Math.ceil(to / partBytes) - first }, (_, i) =>
        this.#part(release, segment, first + i, job),
      ),
    )
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    return bytes.subarray(from - first * partBytes, to - first * partBytes)
  }

  async #part(release: Release, segment: Segment, part: number, job: Job): Promise<Buffer> {
    const reading = this.#parts.read(release, segment.part(part))
    // Awaited first, because nobody would notice an error while this waits for its turn.
    const { bytes } = await reading
    if (reading instanceof Promise) await job.spend(partWork)
    return bytes
  }
}
