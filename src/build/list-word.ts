import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { sha256 } from '#kit/digest.ts'
import { idLength } from '#release/clips/layout.ts'
import { wordClipsPath } from '#release/paths.ts'
import type { ClipList, ListPage } from '#release/words/layout.ts'
import { endsPage, itemOpening, itemSeparator, pageEnd, pageStart } from '#release/words/pages.ts'
import { levelRankOf } from '#rendering/word-clips.ts'
import { numberAt, type SpooledLine } from './spool.ts'
import { writeMissing } from './write-file.ts'

/** How many buckets of the spool the words are divided into. */
export const bucketCount = 512

/** The bucket of a word. */
export function bucketOf(wordId: number): string {
  return String(wordId % bucketCount)
}

/** An item of a word's list as a line of the spool: the word, what it is sorted by, its JSON. */
export function itemLine(wordId: number, sortKey: number, json: string): string {
  return `${wordId} ${sortKey} ${json}`
}

/** An item that was read from the spool: its JSON is `bytes[from … to)`. */
interface Item {
  bytes: Buffer
  from: number
  to: number
  sortKey: number
  /** The first 48 bits of the clip id, which order nearly all items of the same key. */
  tie: number
}

/** Reads the items of a bucket, by wordId. */
export function itemsByWord(lines: Iterable<SpooledLine>): Map<number, Item[]> {
  const items = new Map<number, Item[]>()
  for (const { number: wordId, bytes, from: keyAt, to } of lines) {
    const from = bytes.indexOf(blank, keyAt) + 1
    const item = { bytes, from, to, sortKey: numberAt(bytes, keyAt), tie: tieAt(bytes, from) }
    items.getOrInsertComputed(wordId, () => []).push(item)
  }
  return items
}

const [separator, end] = [Buffer.from(itemSeparator), Buffer.from(pageEnd)]
/** The bytes of a digest in the table of words, and of one in the name of a page. */
const [digestBytes, nameBytes] = [12, 8]

/** Makes the list of a word's clips. Writes those pages of it that are not there yet. */
export function listWord(
  { wordId, language }: { wordId: number; language: string },
  items: Item[],
  { outFolder, workFolder }: { outFolder: string; workFolder: string },
): ClipList {
  const start = Buffer.from(pageStart(wordId, language))
  const clipsByLevel = levels.map(() => 0)
  const pages: ListPage[] = []
  let pieces: Buffer[] = [start]
  let [count, sizeBytes] = [0, 0]
  for (const [i, item] of items.sort(compareItems).entries()) {
    clipsByLevel[levelRankOf(item.sortKey)]!++
    if (count++ > 0) pieces.push(separator)
    pieces.push(item.bytes.subarray(item.from, item.to))
    sizeBytes += item.to - item.from
    if (i < items.length - 1 && !endsPage(clipIdOf(item), count, sizeBytes)) continue
    const page = Buffer.concat([...pieces, end])
    const digest = sha256(page)
    const path = join(outFolder, wordClipsPath(language, wordId, digest.toString('hex', 0, nameBytes)))
    writeMissing(workFolder, path, page)
    pages.push({ count, digest: digest.toString('base64url', 0, digestBytes) })
    pieces = [start]
    ;[count, sizeBytes] = [0, 0]
  }
  return { clipsByLevel, pages }
}

/** The order of a list: sort key, then clip id (contract 1.5). */
function compareItems(a: Item, b: Item): number {
  return a.sortKey - b.sortKey || a.tie - b.tie || (clipIdOf(a) < clipIdOf(b) ? -1 : 1)
}

function clipIdOf({ bytes, from }: Item): string {
  return bytes.toString('latin1', from + itemOpening.length, from + itemOpening.length + idLength)
}

const [blank, hyphen, zero, smallA] = [32, 45, 48, 97]

function tieAt(bytes: Buffer, from: number): number {
  let tie = 0
  for (let at = from + itemOpening.length, end = at + 13; at < end; at++) {
    const byte = bytes[at]!
    if (byte !== hyphen) tie = tie * 16 + (byte < smallA ? byte - zero : byte - smallA + 10)
  }
  return tie
}
