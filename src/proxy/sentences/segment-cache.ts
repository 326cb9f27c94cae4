import { LRUCache } from 'lru-cache'
import { pageDigestOf } from '#release/lists/clip-list.ts'
import type { Release } from '#release/release.ts'
import type { ByteRange, Segment } from '#release/sentences/reader.ts'

/** The memory for what was read of the sentence index. The largest list of 15 million tokens takes 1 MB. */
const maxSizeBytes = 32 * 1024 * 1024
/** What a range costs beside its bytes. */
const overheadBytes = 200

/** What was read of segments lately. A segment never changes, so what is cached stays right from release to release. */
export class SegmentCache {
  readonly #ranges = new LRUCache<number, Buffer>({
    maxSize: maxSizeBytes,
    sizeCalculation: ({ length }) => length + overheadBytes,
  })
  /** Each segment that was ever read has a number, so that no text is made for a range. */
  readonly #numbers = new Map<string, number>()

  /** The bytes of a segment's file, at once where they are cached or the tree is in a folder. */
  read(release: Release, { entry }: Segment, { from, to }: ByteRange): Buffer | Promise<Buffer> {
    const key = this.#numberOf(entry.path) * 2 ** 32 + from
    const cached = this.#ranges.get(key)
    if (cached) return cached
    const keep = (bytes: Buffer) => {
      this.#ranges.set(key, bytes)
      return bytes
    }
    const bytes = release.readRange(entry.path, from, to, pageDigestOf(entry.digest, 'hex'))
    return bytes instanceof Promise ? bytes.then(keep) : keep(bytes)
  }

  #numberOf(path: string): number {
    let number = this.#numbers.get(path)
    if (number === undefined) this.#numbers.set(path, (number = this.#numbers.size))
    return number
  }
}
