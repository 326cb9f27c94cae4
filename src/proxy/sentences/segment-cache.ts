import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Release } from '#release/release.ts'
import { sentencesPath } from '#release/paths.ts'
import { partBytes, segmentName } from '#release/sentences/layout.ts'
import { mergeLists } from '#release/sentences/merge-lists.ts'
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

  /** The places of several terms together, synchronously if they are cached. */
  union(release: Release, segment: Segment, terms: readonly string[]): PostingList | Promise<PostingList> {
    return this.#lists.get(keyOf(segment, terms)) ?? this.#readUnion(release, segment, terms)
  }

  /** The list of each term; null for one that the segment does not have. */
  lists(release: Release, segment: Segment, terms: readonly string[]): Promise<(PostingList | null)[]> {
    return Promise.all(terms.map((term) => this.#list(release, segment, term)))
  }

  async #readUnion(release: Release, segment: Segment, terms: readonly string[]): Promise<PostingList> {
    const lists = (await this.lists(release, segment, terms)).filter((list) => list !== null)
    if (lists.length === 1 && terms.length === 1) return lists[0]!
    const union = await inTurns(mergeLists(lists))
    this.#lists.set(keyOf(segment, terms), union)
    return union
  }

  async #list(release: Release, segment: Segment, term: string): Promise<PostingList | null> {
    const key = keyOf(segment, [term])
    const cached = this.#lists.get(key)
    if (cached) return cached
    const bytes = Buffer.from(term)
    for (const range of segment.listsOf(bytes)) {
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

  /** The block of a clip. */
  async block(release: Release, segment: Segment, clip: number): Promise<Buffer> {
    const key = `${segment.entry.digest} ${clip}`
    let block = this.#blocks.get(key)
    if (!block) this.#blocks.set(key, (block = await readBody(release, segment, segment.blockRange(clip))))
    return block
  }
}

function keyOf({ entry }: Segment, terms: readonly string[]): string {
  return `${entry.digest} ${terms.join('\0')}`
}

/** Runs a task that yields, so that other requests get their turns. */
async function inTurns<Result>(task: Generator<void, Result>): Promise<Result> {
  let step = task.next()
  for (; !step.done; step = task.next()) await setImmediate()
  return step.value
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
