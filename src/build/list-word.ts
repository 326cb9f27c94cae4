import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { sha256 } from '#kit/digest.ts'
import { idLength } from '#release/clips/layout.ts'
import { wordClipsPath } from '#release/paths.ts'
import { digestBytes } from '#release/table-file.ts'
import type { ClipList, ListPage } from '#release/words/layout.ts'
import { endsPage, itemOpening, itemSeparator, pageEnd, pageStart } from '#release/words/pages.ts'
import { levelRankOf } from '#rendering/word-clips.ts'
import { writeMissing } from './write-file.ts'

/** How many buckets of the spool the words are divided into. */
export const bucketCount = 512

/** The bucket of the word of an item. */
export function bucketOf(line: string): string {
  return String(Number(line.slice(1, line.indexOf(','))) % bucketCount)
}

type Item = ReturnType<typeof parseItem>

/**
 * Reads a line of the spool, a byte text with a JSON array: the word, what the item is sorted by,
 * and the item, whose JSON is not parsed.
 */
function parseItem(line: string) {
  const keyAt = line.indexOf(',') + 1
  const jsonAt = line.indexOf(',', keyAt) + 1
  const wordId = Number(line.slice(1, keyAt - 1))
  const sortKey = Number(line.slice(keyAt, jsonAt - 1))
  return { wordId, sortKey, json: line.slice(jsonAt, -1) }
}

/** Reads the items of a bucket, by wordId. */
export function itemsByWord(lines: Iterable<string>): Map<number, Item[]> {
  return Map.groupBy(Iterator.from(lines).map(parseItem), ({ wordId }) => wordId)
}

/** The bytes of the digest in the name of a page. */
const nameBytes = 8

/** Makes the list of a word's clips. Writes those pages of it that are not there yet. */
export function listWord(
  { wordId, language }: { wordId: number; language: string },
  items: Item[],
  { outFolder, workFolder }: { outFolder: string; workFolder: string },
): ClipList {
  const clipsByLevel = levels.map(() => 0)
  const pages: ListPage[] = []
  let onPage: string[] = []
  let sizeBytes = 0
  for (const [i, { sortKey, json }] of items.sort(compareItems).entries()) {
    clipsByLevel[levelRankOf(sortKey)]!++
    onPage.push(json)
    sizeBytes += json.length
    if (i < items.length - 1 && !endsPage(clipIdOf(json), onPage.length, sizeBytes)) continue
    const text = pageStart(wordId, language) + onPage.join(itemSeparator) + pageEnd
    const page = Buffer.from(text, 'latin1')
    const digest = sha256(page)
    const path = join(outFolder, wordClipsPath(language, wordId, digest.toString('hex', 0, nameBytes)))
    writeMissing(workFolder, path, page)
    pages.push({ count: onPage.length, digest: digest.toString('base64url', 0, digestBytes) })
    onPage = []
    sizeBytes = 0
  }
  return { clipsByLevel, pages }
}

/** The order of a list: sort key, then clip id (contract 1.5), with which every item begins. */
function compareItems(a: Item, b: Item): number {
  return a.sortKey - b.sortKey || (a.json < b.json ? -1 : 1)
}

function clipIdOf(json: string): string {
  return json.slice(itemOpening.length, itemOpening.length + idLength)
}
