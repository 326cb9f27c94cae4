import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import { sentencesPath } from '#release/paths.ts'
import { partBytes, segmentName } from '#release/sentences/layout.ts'
import { readPostingList, type PostingList } from '#release/sentences/posting-list.ts'
import { termOfList, type ByteRange, type Segment } from '#release/sentences/reader.ts'

/** The memory for lists. The largest one of 15 million tokens takes 2 MB. */
const listsSizeBytes = 40 * 1024 * 1024
/** The memory for the blocks of clips. */
const blocksSizeBytes = 8 * 1024 * 1024
/** What an entry takes beside its bytes. */
const overheadBytes = 500

/** Recently read parts of segments. A segment never changes, so entries outlive a release. */
export class SegmentCache {
  readonly #lists = new LRUCache<string, PostingList>({
    maxSize: listsSizeBytes,
    sizeCalculation: ({ clips, positionsAt, positions }) =>
      clips.byteLength + positionsAt.byteLength + positions.byteLength + overheadBytes,
  })
  readonly #blocks = new LRUCache<string, Buffer>({
    maxSize: blocksSizeBytes,
    sizeCalculation: ({ length }) => length + overheadBytes,
  })

  /** The list of a term, synchronously if it is cached; null if the segment has none. */
  list(release: Release, segment: Segment, term: string): PostingList | Promise<PostingList | null> {
    const key = `${segment.entry.digest} ${term}`
    return this.#lists.get(key) ?? this.#readList(key, release, segment, Buffer.from(term))
  }

  async #readList(
    key: string,
    release: Release,
    segment: Segment,
    term: Buffer,
  ): Promise<PostingList | null> {
    for (const range of segment.listsOf(term)) {
      const bytes = await readBody(release, segment, range)
      const found = termOfList(bytes)
      // The hash of another term may be the same.
      if (!term.equals(found.term)) continue
      const reading = readPostingList(bytes, found.at)
      let step = reading.next()
      for (; !step.done; step = reading.next()) await setImmediate()
      this.#lists.set(key, step.value)
      return step.value
    }
    return null
  }

  /** The block of a clip. */
  async block(release: Release, segment: Segment, clip: number): Promise<Buffer> {
    const key = `${segment.entry.digest} ${clip}`
    let block = this.#blocks.get(key)
    if (!block) this.#blocks.set(key, (block = await readBody(release, segment, segment.blockRange(clip))))
    return block
  }
}

/** Bytes of the body of a segment, out of each part that they lie in. */
function readBody(release: Release, segment: Segment, { from, to }: ByteRange): Buffer | Promise<Buffer> {
  const { entry } = segment
  const pieces: (Buffer | Promise<Buffer>)[] = []
  for (let part = Math.floor(from / partBytes); part * partBytes < to; part++) {
    const start = part * partBytes
    const path = sentencesPath(entry.language, segmentName(entry), part + 1)
    const [first, last] = [Math.max(from - start, 0), Math.min(to - start, partBytes)]
    pieces.push(release.readRange(path, first, last, segment.partDigest(part)))
  }
  if (pieces.length === 1) return pieces[0]!
  // All are awaited together, so that none of them can fail unheard.
  return Promise.all(pieces.map((piece) => Promise.resolve(piece))).then((all) => Buffer.concat(all))
}
