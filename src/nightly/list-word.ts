import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { sha256 } from '#kit/digest.ts'
import { idLength } from '#release/clips/layout.ts'
import { wordClipsPath } from '#release/paths.ts'
import { digestBytes } from '#release/table-file.ts'
import type { ClipList, ListPage } from '#release/words/layout.ts'
import { endsPage, itemOpening, itemSeparator, pageEnd, pageStart } from '#release/words/pages.ts'
import { writeMissing } from './write-file.ts'

/** How many buckets the words are divided into. */
export const bucketCount = 64

/** The bucket of the spool with the items of a word that are in clips of one level. */
export function itemsBucket(wordId: number, levelRank: number): number {
  return levelRank * bucketCount + (wordId % bucketCount)
}

/** The word of an item, by its line. */
export function wordIdOf(line: string): number {
  return Number(line.slice(1, line.indexOf(',')))
}

type Item = ReturnType<typeof parseItem>

/**
 * Reads a line of the spool, a byte text with a JSON array: the word, what the item is sorted by,
 * and the item, whose JSON is not parsed.
 */
function parseItem(line: string) {
  const keyAt = line.indexOf(',') + 1
  const jsonAt = line.indexOf(',', keyAt) + 1
  const sortKey = Number(line.slice(keyAt, jsonAt - 1))
  return { wordId: wordIdOf(line), sortKey, json: line.slice(jsonAt, -1) }
}

/** Reads items, by wordId. */
export function itemsByWord(lines: Iterable<string>): Map<number, Item[]> {
  return Map.groupBy(Iterator.from(lines).map(parseItem), ({ wordId }) => wordId)
}

/** The bytes of the digest in the name of a page. */
const nameBytes = 8

/**
 * Makes the list of a word's clips, level by level. Writes those pages of it that are not there
 * yet.
 */
export class WordLister {
  readonly #word: { wordId: number; language: string }
  readonly #folders: { outFolder: string; workFolder: string }
  readonly #clipsByLevel = levels.map(() => 0)
  readonly #pages: ListPage[] = []
  /** The items of the page that has not ended. Each text holds one or more. */
  #onPage: string[] = []
  #count = 0
  #sizeBytes = 0

  constructor(
    word: { wordId: number; language: string },
    folders: { outFolder: string; workFolder: string },
  ) {
    this.#word = word
    this.#folders = folders
  }

  /** Adds all items that are in clips of one level. Levels come easiest first. */
  add(levelRank: number, items: Item[]): void {
    this.#clipsByLevel[levelRank] = items.length
    for (const { json } of items.sort(compareItems)) {
      this.#onPage.push(json)
      this.#count++
      this.#sizeBytes += json.length
      if (endsPage(clipIdOf(json), this.#count, this.#sizeBytes)) this.#endPage()
    }
    // A copy: the items are pieces of the text of a whole bucket, and keep it in memory.
    this.#onPage = this.#count > 0 ? [copyOf(this.#onPage.join(itemSeparator))] : []
  }

  finish(): ClipList {
    if (this.#count > 0) this.#endPage()
    return { clipsByLevel: this.#clipsByLevel, pages: this.#pages }
  }

  #endPage(): void {
    const { wordId, language } = this.#word
    const { outFolder, workFolder } = this.#folders
    const text = pageStart(wordId, language) + this.#onPage.join(itemSeparator) + pageEnd
    const page = Buffer.from(text, 'latin1')
    const digest = sha256(page)
    const path = join(outFolder, wordClipsPath(language, wordId, digest.toString('hex', 0, nameBytes)))
    writeMissing(workFolder, path, page)
    this.#pages.push({ count: this.#count, digest: digest.toString('base64url', 0, digestBytes) })
    this.#onPage = []
    this.#count = this.#sizeBytes = 0
  }
}

/** The order of a list: sort key, then clip id (contract 1.5), with which every item begins. */
function compareItems(a: Item, b: Item): number {
  return a.sortKey - b.sortKey || (a.json < b.json ? -1 : 1)
}

function clipIdOf(json: string): string {
  return json.slice(itemOpening.length, itemOpening.length + idLength)
}

function copyOf(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('latin1')
}
