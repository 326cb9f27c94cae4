import { createHash } from 'node:crypto'
import { ByteWriter } from '#kit/byte-writer.ts'
import { itemsPerPage, itemsPerStep } from './word-table.ts'

/** The pages of a list as their files hold them, and what the table of words keeps of it. */
export interface WrittenList {
  /** Of the items as they stand in the pages, laid end to end with a separator between: 64 bits in hexadecimal. */
  digest: string
  /** File by file: where every 16th item begins, in bytes, and where the last one ends. */
  checkpoints: number[]
  /** Views of the memory that the list was written to. */
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
  readonly #out: ByteWriter
  readonly #checkpoints: number[] = []
  /** By page: where it begins, where its items begin and end. */
  readonly #pages: { start: number; items: number; itemsEnd: number }[] = []
  #written = 0

  /** `count` is how many items will be added; `out` the memory that is written to: empty, and theirs. */
  constructor(wordId: number, language: string, count: number, out: ByteWriter) {
    this.#wordId = wordId
    this.#language = language
    this.#count = count
    this.#out = out
  }

  /** Adds the item `bytes[from … to)`: JSON without a line break. */
  add(bytes: Buffer, from: number, to: number): void {
    const place = this.#written % itemsPerPage
    if (place === 0) this.#beginPage()
    else this.#out.copy(separator)
    if (place % itemsPerStep === 0) this.#checkpoints.push(this.#out.length - this.#pages.at(-1)!.start)
    this.#out.copy(bytes, from, to)
    this.#written++
    if (place === itemsPerPage - 1 || this.#written === this.#count) this.#endPage()
  }

  finish(): WrittenList {
    const bytes = this.#out.view()
    const hash = createHash('sha256')
    for (const [i, { items, itemsEnd }] of this.#pages.entries()) {
      if (i > 0) hash.update(separator)
      hash.update(bytes.subarray(items, itemsEnd))
    }
    return {
      digest: hash.digest('hex').slice(0, 16),
      checkpoints: this.#checkpoints,
      pages: this.#pages.map(({ start, itemsEnd }) => bytes.subarray(start, itemsEnd + pageEnd.length)),
    }
  }

  #beginPage(): void {
    const start = this.#out.length
    const page = this.#pages.length + 1
    const pages = Math.ceil(this.#count / itemsPerPage)
    this.#out.text(pageStart({ wordId: this.#wordId, language: this.#language, page, pages }))
    this.#pages.push({ start, items: this.#out.length, itemsEnd: 0 })
  }

  #endPage(): void {
    const page = this.#pages.at(-1)!
    page.itemsEnd = this.#out.length
    this.#checkpoints.push(page.itemsEnd - page.start)
    this.#out.copy(pageEnd)
  }
}
