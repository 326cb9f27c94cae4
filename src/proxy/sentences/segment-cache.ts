import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import { sentencesPath } from '#release/paths.ts'
import { partBytes, segmentName } from '#release/sentences/layout.ts'
import type { ByteRange, Segment } from '#release/sentences/reader.ts'

/**
 * The memory for what was read of the sentence index. The largest list of 15 million tokens takes 1
 * MB.
 */
const maxSizeBytes = 32 * 1024 * 1024
/** What a range costs beside its bytes. */
const overheadBytes = 200

/**
 * What was read of segments lately. A segment never changes, so what is cached stays right from
 * release to release.
 */
export class SegmentCache {
  readonly #ranges = new LRUCache<number, Buffer>({
    maxSize: maxSizeBytes,
    sizeCalculation: ({ length }) => length + overheadBytes,
  })
  /** Each segment that was ever read has a number, so that no text is made for a range. */
  readonly #numbers = new Map<string, number>()

  /** Bytes of a segment's body, at once where they are cached or the tree is in a folder. */
  read(release: Release, segment: Segment, { from, to }: ByteRange): Buffer | Promise<Buffer> {
    const key = this.#numberOf(segment.entry.digest) * 2 ** 32 + from
    const cached = this.#ranges.get(key)
    if (cached) return cached
    const keep = (bytes: Buffer) => {
      this.#ranges.set(key, bytes)
      return bytes
    }
    const [piece, ...others] = readPieces(release, segment, from, to)
    if (others.length === 0 && !(piece instanceof Promise)) return keep(piece!)
    return joined([piece!, ...others]).then(keep)
  }

  #numberOf(digest: string): number {
    let number = this.#numbers.get(digest)
    if (number === undefined) this.#numbers.set(digest, (number = this.#numbers.size))
    return number
  }
}

/** The bytes out of each part that they lie in: mostly one. */
function readPieces(release: Release, segment: Segment, from: number, to: number) {
  const { entry } = segment
  const pieces: (Buffer | Promise<Buffer>)[] = []
  for (let part = Math.floor(from / partBytes); part * partBytes < to; part++) {
    const start = part * partBytes
    const path = sentencesPath(entry.language, segmentName(entry), part + 1)
    pieces.push(
      release.readRange(
        path,
        Math.max(from - start, 0),
        Math.min(to - start, partBytes),
        segment.partDigest(part),
      ),
    )
  }
  return pieces
}

async function joined(pieces: readonly (Buffer | Promise<Buffer>)[]): Promise<Buffer> {
  // All are awaited together, so that none of them can fail unheard.
  return Buffer.concat(await Promise.all(pieces.map((piece) => Promise.resolve(piece))))
}
