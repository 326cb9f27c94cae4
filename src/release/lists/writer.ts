import { createHash } from 'node:crypto'
import { ByteWriter } from '#kit/byte-writer.ts'
import { pageDigest } from '../page-digest.ts'
import type { ListSegment } from './clip-list.ts'
import {
  itemsPerPage,
  itemsPerStep,
  pageEnd,
  pagesOf,
  pageStart,
  separator,
  type PageHead,
} from './layout.ts'

/** Builds the pages of a segment of a word's list from its items, in their order. */
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
   * `count` is how many items will be added. `onPage` is called with each page, whose bytes lie in
   * `page` until the next.
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

  /** Adds an item. `write` appends its JSON, without a line break. */
  add(write: (out: ByteWriter) => void): void {
    const place = this.#written % itemsPerPage
    if (place === 0) this.#beginPage()
    else this.#page.copy(separator)
    if (place % itemsPerStep === 0) this.#checkpoints.push(this.#page.length)
    write(this.#page)
    this.#written++
    if (place === itemsPerPage - 1 || this.#written === this.#count) this.#endPage()
  }

  finish(): ListSegment {
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
