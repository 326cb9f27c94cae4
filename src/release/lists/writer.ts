import { createHash } from 'node:crypto'
import { ByteWriter } from '#kit/byte-writer.ts'
import {
  itemsPerPage,
  itemsPerStep,
  numbersPerFullPage,
  pageDigest,
  pagesOf,
  type Segment,
} from './clip-list.ts'

/** What stands around the items of a page, and between them. */
export interface PageHead {
  wordId: number
  language: string
  /** Counted from 1. */
  page: number
  pages: number
}
export function pageStart({ wordId, language, page, pages }: PageHead): string {
  return `${JSON.stringify({ wordId, language, page, pages }).slice(0, -1)},"items":[\n`
}
export const separator = Buffer.from(',\n')
export const pageEnd = Buffer.from('\n]}\n')

/** How many bytes each page of a segment of so many items has. */
export function pageSizesOf({ checkpoints }: Segment, count: number): number[] {
  return Array.from({ length: pagesOf(count) }, (_, page) => {
    const items = Math.min(itemsPerPage, count - page * itemsPerPage)
    return checkpoints[page * numbersPerFullPage + Math.ceil(items / itemsPerStep)]! + pageEnd.length
  })
}

/**
 * Puts the pages of a segment of a word's list together from the bytes of its items, in their order
 * (FORMAT.md, "Lists of a word's clips").
 */
export class WordListWriter {
  readonly #head: Pick<PageHead, 'wordId' | 'language'>
  readonly #count: number
  readonly #onPage: (bytes: Buffer) => void
  readonly #digest = createHash('sha256')
  readonly #checkpoints: number[] = []
  readonly #page: ByteWriter
  #itemsAt = 0
  #written = 0

  /**
   * `count` is how many items will be added; `onPage` is given page after page, put together in the
   * memory of `page`, which the next one takes.
   */
  constructor(
    head: Pick<PageHead, 'wordId' | 'language'>,
    count: number,
    onPage: (bytes: Buffer) => void,
    page = new ByteWriter(),
  ) {
    this.#head = head
    this.#count = count
    this.#onPage = onPage
    this.#page = page
  }

  /** Adds an item, which writes its JSON, without a line break. */
  add(item: { writeTo(out: ByteWriter): void }): void {
    const place = this.#written % itemsPerPage
    if (place === 0) this.#beginPage()
    else this.#page.copy(separator)
    if (place % itemsPerStep === 0) this.#checkpoints.push(this.#page.length)
    item.writeTo(this.#page)
    this.#written++
    if (place === itemsPerPage - 1 || this.#written === this.#count) this.#endPage()
  }

  finish(): Segment {
    return { digest: this.#digest.digest('hex').slice(0, 16), checkpoints: this.#checkpoints }
  }

  #beginPage(): void {
    if (this.#written > 0) this.#digest.update(separator)
    const page = this.#written / itemsPerPage + 1
    this.#page.clear()
    this.#page.text(pageStart({ ...this.#head, page, pages: pagesOf(this.#count) }))
    this.#itemsAt = this.#page.length
  }

  #endPage(): void {
    this.#checkpoints.push(this.#page.length)
    this.#digest.update(this.#page.view().subarray(this.#itemsAt))
    this.#page.copy(pageEnd)
    const { high, low } = pageDigest(this.#page.view())
    this.#checkpoints.push(high, low)
    this.#onPage(this.#page.view())
  }
}
