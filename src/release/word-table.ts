import type { Gloss } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { GrowingUint32Array } from '#kit/growing-array.ts'
import { caseKey } from '#kit/lower-case.ts'
import { matchKey } from '#kit/match-key.ts'
import { sortPairs } from '#kit/sort-pairs.ts'
import { textHash } from '#kit/text-hash.ts'
import { wordClipsPath } from './paths.ts'
import { codeNumber, codeOfNumber, openTable, writeTable } from './table-file.ts'
import { WordEntries, writeEntry, type WordEntry } from './word-entries.ts'

/** The table of the words of a release, written and opened (FORMAT.md, "words.bin"). */

/** A catalogue word with the list of its clips, as it goes into the table and comes out of it. */
export interface WordRow extends WordEntry {
  language: string
  list: ClipList | null
}

/** The published list of a word's clips, easiest first. */
export interface ClipList {
  /** Of its items, 64 bits in hexadecimal: part of the names of its files. */
  digest: string
  /** Clips by their level, A1 to C2: the list is sorted by level first. */
  clipsByLevel: readonly number[]
  /** File by file: where every 16th item begins, in bytes, and where the last one ends. */
  checkpoints: readonly number[]
}

/** How many items a page of a published word→clips list holds; the last may hold fewer. */
export const itemsPerPage = 500
/** How many items lie between two checkpoints. */
export const itemsPerStep = 16
const stepsPerFullPage = Math.ceil(itemsPerPage / itemsPerStep) + 1

/** A run of items of a list within one file: the bytes from one checkpoint to another, and which of the items in them are wanted. */
export interface Run {
  path: string
  from: number
  to: number
  /** Items before the wanted ones. */
  skip: number
  count: number
}

/** The rows of the words of a language: those with clips come first. */
export interface WordRange {
  first: number
  /** Behind the last word that has clips. */
  clipsEnd: number
  end: number
}

const digestBytes = 8

/** The order of the rows: by language, then `clipCount` descending, then `wordId`. */
export function byRow(
  a: { language: string; clipCount: number; wordId: number },
  b: { language: string; clipCount: number; wordId: number },
): number {
  return (
    (a.language < b.language ? -1 : Number(a.language > b.language)) ||
    b.clipCount - a.clipCount ||
    a.wordId - b.wordId
  )
}

/** The pieces of the file. `wordAt` gives the words in the order of `byRow`. */
export function writeWordTable(count: number, wordAt: (row: number) => WordRow): Uint8Array[] {
  const wordIds = new GrowingUint32Array()
  const wordLevels = new Uint8Array(count)
  const entryAt = new Uint32Array(count + 1)
  const entries = new ByteWriter(count * 64)
  const languages: number[] = []
  const ranges: { code: string; clipsEnd: number }[] = []
  const counts: number[] = []
  const digests: string[] = []
  const checkpointAt: number[] = []
  const checkpoints: number[][] = []
  let checkpointCount = 0
  const names = new GrowingUint32Array()
  for (let row = 0; row < count; row++) {
    const word = wordAt(row)
    if (ranges.at(-1)?.code !== word.language) {
      languages.push(codeNumber(word.language), row, row, digests.length)
      ranges.push({ code: word.language, clipsEnd: row })
    }
    wordIds.push(row)
    wordIds.push(word.wordId)
    wordLevels[row] = levels.indexOf(word.level)
    entryAt[row] = entries.length
    writeEntry(entries, word)
    addNames(names, row, word)
    if (!word.list) continue
    languages[languages.length - 2] = row + 1
    for (const n of word.list.clipsByLevel) counts.push(n)
    digests.push(word.list.digest)
    checkpointAt.push(checkpointCount)
    checkpoints.push(word.list.checkpoints as number[])
    checkpointCount += word.list.checkpoints.length
  }
  entryAt[count] = entries.length
  const allCheckpoints = new Uint32Array(checkpointCount)
  for (const [i, list] of checkpoints.entries()) allCheckpoints.set(list, checkpointAt[i])
  const [sortedIds, byWordId] = sortPairs(wordIds.view())
  const [nameHashes, nameRows] = sortPairs(names.view())
  return writeTable('words', {
    languages: Uint32Array.from(languages),
    wordIds: sortedIds,
    byWordId,
    levels: wordLevels,
    entryAt,
    entries: entries.view(),
    clipsByLevel: Uint32Array.from(counts),
    listDigests: Uint8Array.fromHex(digests.join('')),
    checkpointAt: Uint32Array.from(checkpointAt),
    checkpoints: allCheckpoints,
    nameHashes,
    nameRows,
  })
}

/** Adds the hash of every spelling of a word as `matchKey` makes it, for `sortPairs`. */
function addNames(names: GrowingUint32Array, row: number, { word, forms, language }: WordRow): void {
  for (const key of new Set([word, ...forms].map((name) => matchKey(name, language)))) {
    names.push(row)
    names.push(textHash(key))
  }
}

/** The words of a release: look-ups over typed arrays. A row is a number; rows are in the order of search (`byRow`). */
export class WordTable {
  readonly levels: Uint8Array
  readonly #wordIds: Uint32Array
  readonly #byWordId: Uint32Array
  readonly #entries: WordEntries
  readonly #clipsByLevel: Uint32Array
  readonly #listDigests: Uint8Array
  readonly #checkpointAt: Uint32Array
  readonly #checkpoints: Uint32Array
  readonly #nameHashes: Uint32Array
  readonly #nameRows: Uint32Array
  readonly #languages: (WordRange & { code: string; firstList: number })[] = []

  /** @throws {SyntaxError} when the bytes are no table of words of this version */
  constructor(bytes: Uint8Array<ArrayBuffer>, path: string) {
    const sections = openTable(bytes, 'words', path)
    this.levels = sections.u8('levels')
    this.#wordIds = sections.u32('wordIds')
    this.#byWordId = sections.u32('byWordId')
    this.#entries = new WordEntries(sections.u32('entryAt'), sections.u8('entries'))
    this.#clipsByLevel = sections.u32('clipsByLevel')
    this.#listDigests = sections.u8('listDigests')
    this.#checkpointAt = sections.u32('checkpointAt')
    this.#checkpoints = sections.u32('checkpoints')
    this.#nameHashes = sections.u32('nameHashes')
    this.#nameRows = sections.u32('nameRows')
    const languages = sections.u32('languages')
    for (let i = 0; i < languages.length; i += 4) {
      this.#languages.push({
        code: codeOfNumber(languages[i]!),
        first: languages[i + 1]!,
        clipsEnd: languages[i + 2]!,
        end: languages[i + 4 + 1] ?? this.count,
        firstList: languages[i + 3]!,
      })
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
    return this.#languages.findLast(({ first }) => first <= row)!.code
  }

  /** The row of a word by its id; −1 where there is none. */
  find(wordId: number): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#wordIds[middle]! < wordId) low = middle + 1
      else high = middle
    }
    return this.#wordIds[low] === wordId ? this.#byWordId[low]! : -1
  }

  /**
   * The rows of the words that a headword or form names, best first: as written before hyphens and blanks alike, headword before form, each by coverage
   * (contract 1.5); empty where none does.
   */
  named(text: string, language: string): number[] {
    const asWritten = caseKey(text, language)
    const key = matchKey(text, language)
    const spelled = (name: string) => caseKey(name, language) === asWritten
    const alike = (name: string) => key !== '' && matchKey(name, language) === key
    const rows = this.#rowsOfHash(textHash(key), language)
    const texts = rows.map((row) => ({ row, ...this.#entries.read(row) }))
    for (const isNamed of [spelled, alike]) {
      const found = texts.filter(({ word }) => isNamed(word))
      if (found.length > 0) return found.map(({ row }) => row)
    }
    for (const isNamed of [spelled, alike]) {
      const found = texts.filter(({ forms }) => forms.some(isNamed))
      if (found.length > 0) return found.map(({ row }) => row)
    }
    return []
  }

  /** In how many clips the word is said. */
  clipCount(row: number): number {
    const at = this.#listAt(row) * 6
    const counts = this.#clipsByLevel
    if (at < 0) return 0
    return (
      counts[at]! + counts[at + 1]! + counts[at + 2]! + counts[at + 3]! + counts[at + 4]! + counts[at + 5]!
    )
  }

  /** Its clips by their level, A1 to C2. */
  clipsByLevel(row: number): number[] {
    const at = this.#listAt(row) * 6
    return at < 0 ? levels.map(() => 0) : [...this.#clipsByLevel.subarray(at, at + 6)]
  }

  /** The list's digest; empty where the word has no clips. */
  listDigest(row: number): string {
    const at = this.#listAt(row) * digestBytes
    return at < 0 ? '' : this.#listDigests.subarray(at, at + digestBytes).toHex()
  }

  /** The published list of the word's clips; null where it has none. */
  list(row: number): ClipList | null {
    const at = this.#listAt(row)
    if (at < 0) return null
    return {
      digest: this.listDigest(row),
      clipsByLevel: this.clipsByLevel(row),
      checkpoints: [...this.#checkpoints.subarray(this.#checkpointAt[at], this.#checkpointAt[at + 1])],
    }
  }

  /** Where the items `start … end` of the word's list stand, file by file. */
  runs(row: number, start: number, end: number): Run[] {
    const base = this.#checkpointAt[this.#listAt(row)]!
    const runs: Run[] = []
    const count = this.clipCount(row)
    const digest = this.listDigest(row)
    for (let from = start; from < end;) {
      const page = Math.floor(from / itemsPerPage)
      const pageStart = page * itemsPerPage
      const to = Math.min(end, pageStart + itemsPerPage)
      const firstStep = Math.floor((from - pageStart) / itemsPerStep)
      const lastStep = Math.ceil((to - pageStart) / itemsPerStep)
      const steps = base + page * stepsPerFullPage
      const isWhole = to === Math.min(count, pageStart + itemsPerPage)
      runs.push({
        path: wordClipsPath(this.language(row), this.wordId(row), digest, page + 1),
        from: this.#checkpoints[steps + firstStep]!,
        to: this.#checkpoints[steps + (isWhole ? Math.ceil((to - pageStart) / itemsPerStep) : lastStep)]!,
        skip: from - pageStart - firstStep * itemsPerStep,
        count: to - from,
      })
      from = to
    }
    return runs
  }

  /** Appends the beginning of the JSON of a word, up to its meaning in the gloss asked for, else in English, else none (contract 2). */
  writeJson(out: ByteWriter, row: number, gloss: Gloss): void {
    this.#entries.writeJson(out, row, gloss)
  }

  /** Has what `writeJson` reads of these words come from memory together. A negative row is none. */
  fetch(rows: readonly number[]): void {
    this.#entries.fetch(rows)
  }

  /** The headword. */
  word(row: number): string {
    return this.#entries.read(row).word
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

  /** Whether a word and the list of its clips are what they are in another table. */
  isSame(row: number, other: WordTable, otherRow: number): boolean {
    return (
      this.listDigest(row) === other.listDigest(otherRow) &&
      this.language(row) === other.language(otherRow) &&
      this.#entries.isSame(row, other.#entries, otherRow)
    )
  }

  #rowsOfHash(hash: number, language: string): number[] {
    const { first, end } = this.rangeOf(language)
    let [low, high] = [0, this.#nameHashes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#nameHashes[middle]! < hash) low = middle + 1
      else high = middle
    }
    const rows: number[] = []
    for (; this.#nameHashes[low] === hash; low++) {
      const row = this.#nameRows[low]!
      if (row >= first && row < end) rows.push(row)
    }
    return rows
  }

  /** The place of the word's list among all lists; negative where it has none. */
  #listAt(row: number): number {
    const { first, clipsEnd, firstList } = this.#languages.findLast((range) => range.first <= row)!
    return row < clipsEnd ? firstList + row - first : -1
  }
}
