import type { Gloss } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import { lowerBound } from '#kit/lower-bound.ts'
import type { ClipList, NamedSegment } from '../lists/clip-list.ts'
import { openTable, readLanguages } from '../table-file.ts'
import { ClipLists, type Cut } from './clip-lists.ts'
import { WordEntries } from './entries.ts'
import { languageNumbers, tableName, type WordRange, type WordRow } from './layout.ts'

interface LanguageRange extends WordRange {
  code: string
  /** The number of the list of the first word. */
  firstList: number
}

/** The words of a release, as look-ups over typed arrays. Rows are in the order of `byRow`. */
export class WordTable {
  readonly levels: Uint8Array
  readonly #wordIds: Uint32Array
  readonly #byWordId: Uint32Array
  readonly #entries: WordEntries
  readonly #lists: ClipLists
  readonly #languages: LanguageRange[] = []

  /** @throws {SyntaxError} when the bytes are no table of words of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, tableName, path)
    this.levels = sections.u8('levels')
    this.#wordIds = sections.u32('wordIds')
    this.#byWordId = sections.u32('byWordId')
    this.#entries = new WordEntries(sections)
    this.#lists = new ClipLists(sections)
    for (const { code, numbers, next } of readLanguages(sections, languageNumbers)) {
      const [, first, clipsEnd, firstList] = numbers as unknown as [number, number, number, number]
      this.#languages.push({ code, first, clipsEnd, end: next?.[1] ?? this.count, firstList })
    }
  }

  get count(): number {
    return this.#wordIds.length
  }

  get languages(): string[] {
    return this.#languages.map(({ code }) => code)
  }

  rangeOf(language: string): WordRange {
    return this.#languages.find(({ code }) => code === language) ?? { first: 0, clipsEnd: 0, end: 0 }
  }

  wordId(row: number): number {
    return this.#entries.wordId(row)
  }

  language(row: number): string {
    return this.#languageOf(row).code
  }

  /** The row of a word by its id; −1 if there is none. */
  find(wordId: number): number {
    const at = lowerBound(this.#wordIds, wordId)
    return this.#wordIds[at] === wordId ? this.#byWordId[at]! : -1
  }

  /** How many clips the word is said in. */
  clipCount(row: number): number {
    const list = this.#listOf(row)
    return list < 0 ? 0 : this.#lists.clipCount(list)
  }

  /** Its clips by their level, A1 to C2. */
  clipsByLevel(row: number): number[] {
    const list = this.#listOf(row)
    return list < 0 ? levels.map(() => 0) : this.#lists.clipsByLevel(list)
  }

  /** The published list of the word's clips; null if it has none. */
  list(row: number): ClipList | null {
    const list = this.#listOf(row)
    return list < 0 ? null : this.#lists.get(list)
  }

  /** The segments of its list, the base first. */
  segments(row: number): NamedSegment[] {
    const list = this.#listOf(row)
    return list < 0 ? [] : this.#lists.segments(list)
  }

  /** Where the items `start … end` of its list stand. */
  cut(row: number, start: number, end: number): Cut {
    const word = { language: this.language(row), wordId: this.wordId(row) }
    return this.#lists.cut(this.#listOf(row), word, start, end)
  }

  /**
   * Where the entry of a word stands. Other tables of the release name words by this place, so that
   * they are found without their rows.
   */
  entryAt(row: number): number {
    return this.#entries.entryAt(row)
  }

  /** Appends the JSON of a word from its headword to its meaning (`WordEntries.writeShown`). */
  writeShown(out: ByteWriter, row: number, gloss: Gloss): void {
    this.#entries.writeShown(out, this.#entries.entryAt(row), gloss)
  }

  /** The same by its place. */
  writeShownAt(out: ByteWriter, place: number, gloss: Gloss): void {
    this.#entries.writeShown(out, place, gloss)
  }

  /** Brings the entries at these places into the cache. A negative place has none. */
  prefetch(places: readonly number[]): void {
    this.#entries.prefetch(places)
  }

  /** The headword. */
  word(row: number): string {
    return this.#entries.word(row)
  }

  /** Everything that the table says of a word. */
  row(row: number): WordRow & { clipCount: number } {
    return {
      ...this.#entries.read(row),
      language: this.language(row),
      list: this.list(row),
      clipCount: this.clipCount(row),
    }
  }

  /** Whether a word of the catalogue is the same in another table. */
  isSame(row: number, other: WordTable, otherRow: number): boolean {
    return (
      this.language(row) === other.language(otherRow) && this.#entries.isSame(row, other.#entries, otherRow)
    )
  }

  /** The number of the word's list; −1 if it has none. */
  #listOf(row: number): number {
    const { first, clipsEnd, firstList } = this.#languageOf(row)
    return row < clipsEnd ? firstList + row - first : -1
  }

  #languageOf(row: number): LanguageRange {
    let i = this.#languages.length - 1
    while (this.#languages[i]!.first > row) i--
    return this.#languages[i]!
  }
}
