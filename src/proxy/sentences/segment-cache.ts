import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import { sentencesPath } from '#release/paths.ts'
import { partBytes, segmentName } from '#release/sentences/layout.ts'
import { readPostingList, type PostingList } from '#release/sentences/posting-list.ts'
import { termOfList, type ByteRange, type Segment } from '#release/sentences/reader.ts'
import { inTurns, spend } from '../turns.ts'

/** The memory for lists. The largest one of 15 million tokens takes 3 MB. */
const listsSizeBytes = 40 * 1024 * 1024
/** The memory for the blocks of clips. */
const blocksSizeBytes = 8 * 1024 * 1024
/** What an entry takes beside its bytes. */
const overheadBytes = 500

/** Recently read parts of segments. A segment never changes, so entries outlive a release. */
export class SegmentCache {
  readonly #lists = new LRUCache<string, PostingList>({
    maxSize: listsSizeBytes,
    sizeCalculation: ({ byteLength }) => byteLength + overheadBytes,
  })
  readonly #blocks = new LRUCache<string, Uint8Array>({
    maxSize: blocksSizeBytes,
    sizeCalculation: ({ length }) => length + overheadBytes,
  })

  /** The list of a term, without a promise if it is cached; null if the segment has none. */
  list(release: Release, segment: Segment, term: string): PostingList | null | Promise<PostingList | null> {
    const key = `${segment.entry.digest} ${term}`
    const cached = this.#lists.get(key)
    if (cached) return cached
    const bytes = Buffer.from(term)
    const ranges = segment.listsOf(bytes)
    return ranges.length === 0 ? null : this.#readList(release, segment, { key, bytes, ranges })
  }

  async #readList(
    release: Release,
    segment: Segment,
    { key, bytes, ranges }: { key: string; bytes: Buffer; ranges: readonly ByteRange[] },
  ): Promise<PostingList | null> {
    for (const range of ranges) {
      const body = await readBody(release, segment, range)
      const found = termOfList(body)
      // The hash of another term may be the same.
      if (!bytes.equals(found.term)) continue
      const list = await inTurns(readPostingList(body, found.at))
      this.#lists.set(key, list)
      return list
    }
    return null
  }

  async block(release: Release, segment: Segment, clip: number): Promise<Uint8Array> {
    const key = `${segment.entry.digest} ${clip}`
    const cached = this.#blocks.get(key)
    if (cached) return cached
    // Copied, because the bytes read may be a view of a whole part, which would stay in memory.
    const block = new Uint8Array(await readBody(release, segment, segment.blockRange(clip)))
    this.#blocks.set(key, block)
    return block
  }
}

/** Reading and checking a part takes as long as reading so many positions. */
const partWork = 50_000

/** Bytes of the body of a segment, out of each part that they lie in. */
async function readBody(release: Release, segment: Segment, { from, to }: ByteRange): Promise<Buffer> {
  const { entry } = segment
  const pieces: Promise<Buffer>[] = []
  for (let part = Math.floor(from / partBytes); part * partBytes < to; part++) {
    const start = part * partBytes
    const path = sentencesPath(entry.language, segmentName(entry), part + 1)
    const [first, last] = [Math.max(from - start, 0), Math.min(to - start, partBytes)]
    const piece = Promise.resolve(release.readRange(path, first, last, segment.partDigest(part)))
    // An error is thrown below; until then nobody listens.
    piece.catch(() => {})
    pieces.push(piece)
    await spend(partWork)
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(await Promise.all(pieces))
}
