import { LRUCache } from 'lru-cache'
import { sentencesPath } from '#release/paths.ts'
import type { Release } from '#release/release.ts'
import { partBytes, segmentName } from '#release/sentences/layout.ts'
import { readPostingList, type PostingList } from '#release/sentences/posting-list.ts'
import { termOfList, type ByteRange, type Segment } from '#release/sentences/reader.ts'
import { inTurns, spend } from '../turns.ts'

/** The memory for lists. The largest one of 15 million tokens takes 3 MB. */
const maxSizeBytes = 40 * 1024 * 1024
/** What an entry takes beside its bytes. */
const overheadBytes = 500

const noPositions: PostingList = new Int32Array()

/** Recently read lists. A segment never changes, so entries outlive a release. */
export class ListCache {
  readonly #lists = new LRUCache<string, PostingList>({
    maxSize: maxSizeBytes,
    sizeCalculation: ({ byteLength }) => byteLength + overheadBytes,
  })

  /** Where a term is said in a segment. @throws {TreeFault} the tree does not give it */
  async list(release: Release, segment: Segment, term: string): Promise<PostingList> {
    const key = `${segment.entry.digest} ${term}`
    const cached = this.#lists.get(key)
    if (cached) return cached
    for (const range of segment.listsOf(term)) {
      const bytes = await readBody(release, segment, range)
      const found = termOfList(bytes)
      // The hash of another term may be the same.
      if (found.term !== term) continue
      const list = await inTurns(readPostingList(bytes, found.at))
      this.#lists.set(key, list)
      return list
    }
    return noPositions
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
  return Buffer.concat(await Promise.all(pieces))
}
