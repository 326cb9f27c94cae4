import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { clipCountOf, type Merging } from '#release/lists/clip-list.ts'
import { itemsPerPage, pagesOf, pageEnd, pageStart, separator } from '#release/lists/layout.ts'
import { wordClipsPath } from '#release/paths.ts'
import { clipIdAt, inMemory, shareAt, type ListItems } from './list-items.ts'
import { corruptList, readPublished } from './corrupt-list.ts'

/** The list of a word in the previous release: what a build needs to build on it. */
export interface PreviousList {
  clipsByLevel: readonly number[]
  /** The digest of its base. */
  base: string
  /** How many bytes each page of its base has. */
  basePages: readonly number[]
  /** null if the base is the whole list. */
  since: PreviousSince | null
}

interface PreviousSince extends Merging {
  /** The digest of its later items; null if there are none. */
  later: string | null
}

interface Word {
  wordId: number
  language: string
  /** The clips to leave out. */
  removed: readonly string[]
}

/**
 * Adds the items of a published list, as views of its pages, without those of removed clips.
 *
 * @throws {CorruptList} a page is missing or damaged
 */
export function addPreviousItems(items: ListItems, outFolder: string, word: Word, list: PreviousList): void {
  addSegment(items, outFolder, word, list.base, ranksOfBase(list), list.since?.gone)
  addLaterItems(items, outFolder, word, list)
}

/**
 * Adds the items that were added since the base was written, without those of removed clips. The
 * base stays in service unread, so only the sizes of its pages are checked.
 *
 * @throws {CorruptList} as above
 */
export function addLaterItems(
  items: ListItems,
  outFolder: string,
  word: Word,
  { clipsByLevel, base, basePages, since }: PreviousList,
): void {
  for (const [i, sizeBytes] of basePages.entries()) {
    const path = wordClipsPath(word.language, word.wordId, base, i + 1)
    const page = statSync(join(outFolder, path), { throwIfNoEntry: false })
    if (page?.size !== sizeBytes) throw corruptList(path)
  }
  if (since === null || since.later === null) return
  const ends = clipsByLevel.map((_, rank) => clipCountOf({ clipsByLevel: clipsByLevel.slice(0, rank + 1) }))
  const ranks = Array.from(since.places, (place) => ends.findIndex((end) => place < end))
  addSegment(items, outFolder, word, since.later, ranks)
}

/**
 * The rank of the level of each item of the base: a list is sorted by level first. For deleted
 * items it is unknown and not needed.
 */
function ranksOfBase({ clipsByLevel, since }: PreviousList): number[] {
  const ranks = clipsByLevel.flatMap((count, rank) => Array<number>(count).fill(rank))
  if (!since) return ranks
  const base: number[] = []
  let [came, went] = [0, 0]
  const passGone = () => {
    for (; since.gone[went] === base.length; went++) base.push(0)
  }
  for (const [place, rank] of ranks.entries()) {
    passGone()
    if (since.places[came] === place) came++
    else base.push(rank)
  }
  passGone()
  return base
}

const lineFeed = 10
const comma = 44

/**
 * Adds the items of a segment: all lines of its pages but the first and the last, without those of
 * removed clips and those whose numbers are in `gone`. `ranks` are the ranks of their levels.
 */
function addSegment(
  items: ListItems,
  outFolder: string,
  { wordId, language, removed }: Word,
  digest: string,
  ranks: readonly number[],
  gone: Iterable<number> = [],
): void {
  const [goneNumbers, goneIds] = [new Set(gone), new Set(removed)]
  const pages = pagesOf(ranks.length)
  const hash = createHash('sha256')
  let number = 0
  for (let page = 1; page <= pages; page++) {
    const path = wordClipsPath(language, wordId, digest, page)
    const bytes = readPublished(outFolder, path)
    const source = inMemory(bytes)
    const start = pageStart({ wordId, language, page, pages })
    let from = Buffer.byteLength(start)
    if (page > 1) hash.update(separator)
    hash.update(bytes.subarray(from, Math.max(from, bytes.length - pageEnd.length)))
    for (const rank of ranks.slice((page - 1) * itemsPerPage, page * itemsPerPage)) {
      const end = bytes.indexOf(lineFeed, from)
      if (end < from + shareAt) throw corruptList(path)
      const to = bytes[end - 1] === comma ? end - 1 : end
      const isGone = goneNumbers.has(number++) || (goneIds.size > 0 && goneIds.has(clipIdAt(bytes, from)))
      if (!isGone) items.add(source, from, bytes, from, to, rank)
      from = end + 1
    }
  }
  if (hash.digest('hex').slice(0, digest.length) !== digest)
    throw corruptList(wordClipsPath(language, wordId, digest, 1))
}
