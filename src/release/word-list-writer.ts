import { createHash } from 'node:crypto'
import { ByteWriter } from '#kit/byte-writer.ts'
import { itemsPerPage, itemsPerStep } from './word-table.ts'

/** The pages of a list as their files hold them, and what the table of words keeps of it. */
export interface WrittenList {
  /** Of the items as they stand in the pages, laid end to end with a separator between: 64 bits in hexadecimal. */
  digest: string
  /** File by file: where every 16th item begins, in bytes, and where the last one ends. */
  checkpoints: number[]
  pages: Buffer[]
}

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

/** Puts the pages of a word's list together from the bytes of its items, in their order (FORMAT.md, "Pages of a word's clips"). */
export class WordListWriter {
  readonly #wordId: number
  readonly #language: string
  readonly #count: number
  readonly #digest = createHash('sha256')
  readonly #checkpoints: number[] = []
  readonly #pages: Buffer[] = []
  #page = new ByteWriter(4096)
  /** Where the items of the page begin. */
  #itemsAt = 0
  #written = 0

  /** `count` is how many items will be added. */
  constructor(wordId: number, language: string, count: number) {
    this.#wordId = wordId
    this.#language = language
    this.#count = count
  }

  /** Adds the item `bytes[from … to)`: JSON without a line break. */
  add(bytes: Buffer, from: number, to: number): void {
    const place = this.#written % itemsPerPage
    if (place === 0) this.#beginPage()
    else this.#page.copy(separator)
    if (place % itemsPerStep === 0) this.#checkpoints.push(this.#page.length)
    this.#page.copy(bytes, from, to)
    this.#written++
    if (place === itemsPerPage - 1 || this.#written === this.#count) this.#endPage()
  }

  finish(): WrittenList {
    const digest = this.#digest.digest().subarray(0, 8).toString('hex')
    return { digest, checkpoints: this.#checkpoints, pages: this.#pages }
  }

  #beginPage(): void {
    const page = this.#pages.length + 1
    const pages = Math.ceil(this.#count / itemsPerPage)
    this.#page = new ByteWriter(this.#page.length + 4096)
    this.#page.text(pageStart({ wordId: this.#wordId, language: this.#language, page, pages }))
    this.#itemsAt = this.#page.length
  }

  #endPage(): void {
    this.#checkpoints.push(this.#page.length)
    if (this.#pages.length > 0) this.#digest.update(separator)
    this.#digest.update(this.#page.view().subarray(this.#itemsAt))
    this.#page.copy(pageEnd)
    this.#pages.push(this.#page.view())
  }
}
