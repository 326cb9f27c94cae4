import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { levels } from '#contract/levels.ts'
import { wordClipsPath } from '#release/paths.ts'
import { pageEnd, pageStart, separator, WordListWriter } from '#release/word-list-writer.ts'
import { itemsPerPage, type ClipList } from '#release/word-table.ts'
import { hardness, levelRankOf } from '#rendering/word-clips.ts'
import { moveFile, writeMaking } from './aside.ts'
import { SpoiltList } from './spoilt-list.ts'
import type { ListedWord } from './tasks.ts'
import type { SpooledItem } from './word-spool.ts'

type Item = Omit<SpooledItem, 'slot'>
type ListBefore = NonNullable<ListedWord['before']>

/**
 * Makes the list of a word's clips out of the one before and the items that came, and publishes its pages. Gives null where no clip is left.
 *
 * The items before are copied as bytes: of each only the few numbers that it is sorted by are read.
 *
 * @throws {SpoiltList} the list before is not what it should be
 */
export function listClips(
  word: ListedWord,
  came: SpooledItem[],
  { outFolder, asideFolder }: { outFolder: string; asideFolder: string },
): ClipList | null {
  const { wordId, language, before, removed } = word
  const old = before ? itemsBefore(outFolder, word, before) : []
  const gone = new Set(removed)
  const items = merged(
    gone.size === 0 ? old : old.filter((item) => !gone.has(clipIdOf(item))),
    came.sort(byEase),
  )
  if (items.length === 0) return null
  const pages: string[] = []
  const writer = new WordListWriter({ wordId, language }, items.length, (bytes) => {
    pages.push(asidePage(asideFolder, pages.length + 1))
    writeMaking(pages.at(-1)!, bytes)
  })
  const clipsByLevel = levels.map(() => 0)
  for (const item of items) {
    writer.add(item.bytes, item.from, item.to)
    clipsByLevel[levelRankOf(item.hardness)]! += 1
  }
  const { digest, checkpoints } = writer.finish()
  for (const [i, aside] of pages.entries()) {
    // Over one of this name, if there is one: it has the same bytes, unless it was damaged.
    moveFile(aside, join(outFolder, wordClipsPath(language, wordId, digest, i + 1)))
  }
  return { digest, clipsByLevel, checkpoints }
}

/** Where a page lies until the name of its list is known. */
function asidePage(asideFolder: string, page: number): string {
  return `${asideFolder}/page-${threadId}.${page}`
}

function byEase(a: Item, b: Item): number {
  return a.hardness - b.hardness || a.tie - b.tie || (clipIdOf(a) < clipIdOf(b) ? -1 : 1)
}

/** Two sorted lists as one. */
function merged(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one
  const items: Item[] = []
  let i = 0
  for (const item of other) {
    while (i < one.length && byEase(one[i]!, item) < 0) items.push(one[i++]!)
    items.push(item)
  }
  while (i < one.length) items.push(one[i++]!)
  return items
}

/** Every item begins `{"clip":"<clipId>","knownShare":`. */
const clipIdAt = '{"clip":"'.length
const clipIdEnd = clipIdAt + 36
const shareAt = clipIdEnd + '","knownShare":'.length
const beforeCount = '"occurrenceCount":'.length

/** The first 48 bits of a clip id, as a number. */
export function tieOf(clipId: string): number {
  return Number.parseInt(clipId.slice(0, 8) + clipId.slice(9, 13), 16)
}

function clipIdOf({ bytes, from }: Item): string {
  return bytes.toString('latin1', from + clipIdAt, from + clipIdEnd)
}

const lineFeed = 10
const comma = 44

/**
 * The items of a published list: all lines of its pages but the first and the last.
 *
 * @throws {SpoiltList} a page is missing, or the pages are not what their names tell
 */
function itemsBefore(outFolder: string, { wordId, language }: ListedWord, before: ListBefore): Item[] {
  const items: Item[] = []
  const ranks = before.clipsByLevel.flatMap((count, rank) => Array<number>(count).fill(rank))
  const pages = Math.ceil(ranks.length / itemsPerPage)
  const hash = createHash('sha256')
  for (let page = 1; page <= pages; page++) {
    const path = wordClipsPath(language, wordId, before.digest, page)
    const bytes = readPage(outFolder, path)
    const start = pageStart({ wordId, language, page, pages })
    let from = Buffer.byteLength(start)
    if (page > 1) hash.update(separator)
    hash.update(bytes.subarray(from, Math.max(from, bytes.length - pageEnd.length)))
    for (const rank of ranks.slice((page - 1) * itemsPerPage, page * itemsPerPage)) {
      const end = bytes.indexOf(lineFeed, from)
      if (end < from + shareAt) throw new SpoiltList(path)
      const to = bytes[end - 1] === comma ? end - 1 : end
      items.push({ bytes, from, to, hardness: hardnessOf(bytes, from, rank), tie: tieAt(bytes, from) })
      from = end + 1
    }
  }
  if (hash.digest('hex').slice(0, before.digest.length) !== before.digest)
    throw new SpoiltList(wordClipsPath(language, wordId, before.digest, 1))
  return items
}

function readPage(outFolder: string, path: string): Buffer {
  try {
    return readFileSync(join(outFolder, path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new SpoiltList(path)
    throw error
  }
}

/** Read digit by digit: of a list there may be millions, and a text for each number takes longer than all the rest. */
function hardnessOf(bytes: Buffer, from: number, rank: number): number {
  let at = from + shareAt
  // `1`, `0`, `0.5` or `0.87`: hundredths.
  let hundredths = (bytes[at++]! - zero) * 100
  if (bytes[at] === point) {
    hundredths += (bytes[at + 1]! - zero) * 10
    if (isDigit(bytes[at + 2]!)) hundredths += bytes[at + 2]! - zero
    while (bytes[at] !== comma) at++
  }
  let occurrenceCount = 0
  for (at += 1 + beforeCount; isDigit(bytes[at]!); at++)
    occurrenceCount = occurrenceCount * 10 + bytes[at]! - zero
  return hardness(rank, { knownShare: hundredths / 100, occurrenceCount })
}

/** `tieOf` the clip id of an item. */
function tieAt(bytes: Buffer, from: number): number {
  let tie = 0
  for (let i = 0; i < 13; i++) {
    const byte = bytes[from + clipIdAt + i]!
    if (byte !== hyphen) tie = tie * 16 + (isDigit(byte) ? byte - zero : byte - smallA + 10)
  }
  return tie
}

const [zero, point, hyphen, smallA] = [48, 46, 45, 97]

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= zero + 9
}
