import { join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { sha256 } from '#kit/digest.ts'
import { idLength } from '#release/clips/layout.ts'
import { wordClipsPath } from '#release/paths.ts'
import { digestBytes } from '#release/table-file.ts'
import { pageNameBytes, type ClipList, type ListPage } from '#release/words/layout.ts'
import { endsPage, itemOpening, itemSeparator, pageEnd, pageStart } from '#release/words/pages.ts'
import type { SpooledItem } from './spool.ts'
import { writeMissing } from './write-file.ts'

export const bucketCount = 64

/** Returns the bucket of the spool for the items of a word in clips of one level. */
export function itemsBucket(wordId: number, levelRank: number): number {
  return levelRank * bucketCount + (wordId % bucketCount)
}

/** Builds the list of a word's clips, level by level, and writes its new pages. */
export class WordLister {
  readonly #word: { wordId: number; language: string }
  readonly #folders: { outFolder: string; workFolder: string }
  readonly #clipsByLevel = levels.map(() => 0)
  readonly #pages: ListPage[] = []
  /** The items of the current page, each a part of the bytes in which it arrived. */
  #items: SpooledItem[] = []
  /** Items of earlier levels on that page, joined. */
  joinedItems: Buffer | null = null
  #count = 0
  #sizeBytes = 0

  constructor(
    word: { wordId: number; language: string },
    folders: { outFolder: string; workFolder: string },
  ) {
    this.#word = word
    this.#folders = folders
  }

  /** Adds all items in clips of one level. Levels come easiest first. */
  add(levelRank: number, items: SpooledItem[]): void {
    this.#clipsByLevel[levelRank] = items.length
    for (const item of items.sort(compareItems)) {
      this.#items.push(item)
      this.#count++
      this.#sizeBytes += item.to - item.from
      const clipId = item.bytes.toString('latin1', item.from + itemOpening.length, idEnd(item))
      if (endsPage(clipId, this.#count, this.#sizeBytes)) this.#endPage()
    }
    // A copy, because the items are parts of a whole bucket and would keep it in memory.
    if (this.#items.length > 0) this.joinedItems = this.#joinItems()
    this.#items = []
  }

  finish(): ClipList {
    if (this.#count > 0) this.#endPage()
    return { clipsByLevel: this.#clipsByLevel, pages: this.#pages }
  }

  #joinItems(): Buffer {
    const pieces: Uint8Array[] = this.joinedItems ? [this.joinedItems] : []
    for (const { bytes, from, to } of this.#items) {
      if (pieces.length > 0) pieces.push(separator)
      pieces.push(bytes.subarray(from, to))
    }
    return Buffer.concat(pieces)
  }

  #endPage(): void {
    const { wordId, language } = this.#word
    const { outFolder, workFolder } = this.#folders
    const start = Buffer.from(pageStart(wordId, language))
    const page = Buffer.concat([start, this.#joinItems(), Buffer.from(pageEnd)])
    const digest = sha256(page)
    const path = join(outFolder, wordClipsPath(language, wordId, digest.toString('hex', 0, pageNameBytes)))
    writeMissing(workFolder, path, page)
    this.#pages.push({ count: this.#count, digest: digest.toString('base64url', 0, digestBytes) })
    this.#items = []
    this.joinedItems = null
    this.#count = this.#sizeBytes = 0
  }
}

const separator = Buffer.from(itemSeparator)

/** Compares items by sort key, then by clip id (contract 1.5). */
function compareItems(a: SpooledItem, b: SpooledItem): number {
  return a.sortKey - b.sortKey || a.bytes.compare(b.bytes, b.from, idEnd(b), a.from, idEnd(a))
}

function idEnd({ from }: SpooledItem): number {
  return from + itemOpening.length + idLength
}
