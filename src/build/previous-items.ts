import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { clipCountOf, type Merging } from '#release/lists/clip-list.ts'
import { itemsPerPage, pagesOf, pageEnd, pageStart, separator } from '#release/lists/layout.ts'
import { wordClipsPath } from '#release/paths.ts'
import { ListItem, mergeSorted, shareAt } from './list-item.ts'
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
}

/**
 * The items of a published list, in order, as views of its pages. Only the numbers that they are
 * sorted by are parsed.
 *
 * @throws {CorruptList} a page is missing or damaged
 */
export function previousItems(outFolder: string, word: Word, list: PreviousList): readonly ListItem[] {
  const { since } = list
  const items = readSegment(outFolder, word, list.base, ranksOfBase(list))
  if (!since) return items
  const gone = new Set(since.gone)
  const left = gone.size === 0 ? items : items.filter((_, number) => !gone.has(number))
  return mergeSorted(left, laterItems(outFolder, word, list))
}

/**
 * The items that were added since the base was written. The base stays in service unread, so only
 * the sizes of its pages are checked.
 *
 * @throws {CorruptList} as above
 */
export function laterItems(
  outFolder: string,
  word: Word,
  { clipsByLevel, base, basePages, since }: PreviousList,
): readonly ListItem[] {
  for (const [i, sizeBytes] of basePages.entries()) {
    const path = wordClipsPath(word.language, word.wordId, base, i + 1)
    const page = statSync(join(outFolder, path), { throwIfNoEntry: false })
    if (page?.size !== sizeBytes) throw corruptList(path)
  }
  if (since === null || since.later === null) return []
  const ends = clipsByLevel.map((_, rank) => clipCountOf({ clipsByLevel: clipsByLevel.slice(0, rank + 1) }))
  const ranks = Array.from(since.places, (place) => ends.findIndex((end) => place < end))
  return readSegment(outFolder, word, since.later, ranks)
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
 * The items of a segment: all lines of its pages but the first and the last. `ranks` are the ranks
 * of their levels.
 */
function readSegment(outFolder: string, word: Word, digest: string, ranks: readonly number[]): ListItem[] {
  const { wordId, language } = word
  const items: ListItem[] = []
  const pages = pagesOf(ranks.length)
  const hash = createHash('sha256')
  for (let page = 1; page <= pages; page++) {
    const path = wordClipsPath(language, wordId, digest, page)
    const bytes = readPublished(outFolder, path)
    const start = pageStart({ wordId, language, page, pages })
    let from = Buffer.byteLength(start)
    if (page > 1) hash.update(separator)
    hash.update(bytes.subarray(from, Math.max(from, bytes.length - pageEnd.length)))
    for (const rank of ranks.slice((page - 1) * itemsPerPage, page * itemsPerPage)) {
      const end = bytes.indexOf(lineFeed, from)
      if (end < from + shareAt) throw corruptList(path)
      const to = bytes[end - 1] === comma ? end - 1 : end
      items.push(new ListItem(bytes, from, to, rank))
      from = end + 1
    }
  }
  if (hash.digest('hex').slice(0, digest.length) !== digest)
    throw corruptList(wordClipsPath(language, wordId, digest, 1))
  return items
}
