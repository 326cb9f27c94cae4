import { glosses, type Gloss, type Meanings } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'

/** What the catalogue says of a word. */
export interface WordEntry {
  wordId: number
  word: string
  level: Level
  meanings: Meanings
  forms: string[]
}

/** Appends the entry of a word (FORMAT.md, "words.bin"): texts that answers show stand as they do within JSON quotes. */
export function writeEntry(out: ByteWriter, { wordId, word, level, meanings, forms }: WordEntry): void {
  out.varint(wordId * 8 + levels.indexOf(level))
  writeText(out, withinQuotes(word))
  out.byte(glosses.reduce((mask, gloss, i) => mask | (meanings[gloss] === undefined ? 0 : 1 << i), 0))
  for (const gloss of glosses)
    if (meanings[gloss] !== undefined) writeText(out, withinQuotes(meanings[gloss]))
  out.varint(forms.length)
  for (const form of forms) writeText(out, form)
}

function writeText(out: ByteWriter, text: string): void {
  const bytes = Buffer.from(text)
  out.varint(bytes.length)
  out.copy(bytes)
}

function withinQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

const english = glosses.indexOf('en')
const glossNumbers = Object.fromEntries(glosses.map((gloss, i) => [gloss, i])) as Record<Gloss, number>

const beforeWord = Buffer.from('{"word":"')
const beforeId = Buffer.from('","wordId":')
const beforeMeaning = levels.map((level) => Buffer.from(`,"level":"${level}","meaning":"`))
const quote = 34

/** The entries of an opened table, one behind another. */
export class WordEntries {
  readonly #entryAt: Uint32Array
  readonly #bytes: Buffer
  /** How far the entry at hand has been read. */
  #at = 0
  readonly #read = new Uint32Array(1)

  constructor(entryAt: Uint32Array, entries: Uint8Array<ArrayBuffer>) {
    this.#entryAt = entryAt
    this.#bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.length)
  }

  wordId(row: number): number {
    this.#at = this.#entryAt[row]!
    return Math.floor(this.#readVarint() / 8)
  }

  read(row: number): WordEntry {
    this.#at = this.#entryAt[row]!
    const head = this.#readVarint()
    const word = JSON.parse(`"${this.#readText()}"`) as string
    const mask = this.#bytes[this.#at++]!
    const meanings: Meanings = {}
    for (const [i, gloss] of glosses.entries())
      if (mask & (1 << i)) meanings[gloss] = JSON.parse(`"${this.#readText()}"`) as string
    const forms = Array.from({ length: this.#readVarint() }, () => this.#readText())
    return { wordId: Math.floor(head / 8), word, level: levels[head % 8]!, meanings, forms }
  }

  /** Reads a little of these entries, so that they come from memory together. A negative row is none. */
  fetch(rows: readonly number[]): void {
    const entryAt = this.#entryAt
    const bytes = this.#bytes
    let sum = 0
    for (let i = 0; i < rows.length; i++) if (rows[i]! >= 0) sum ^= entryAt[rows[i]!]!
    for (let i = 0; i < rows.length; i++) {
      if (rows[i]! < 0) continue
      const at = entryAt[rows[i]!]!
      sum ^= bytes[at]! ^ bytes[at + 63]!
    }
    // Kept, or the reading would be left out.
    this.#read[0] = sum
  }

  /** Appends the beginning of the JSON of a word, up to its meaning in the gloss asked for, else in English, else none (contract 2). */
  writeJson(out: ByteWriter, row: number, gloss: Gloss): void {
    const bytes = this.#bytes
    this.#at = this.#entryAt[row]!
    const head = this.#readVarint()
    const length = this.#readVarint()
    out.copy(beforeWord)
    out.copy(bytes, this.#at, (this.#at += length))
    out.copy(beforeId)
    out.decimal(Math.floor(head / 8))
    out.copy(beforeMeaning[head % 8]!)
    const meaning = this.#findMeaning(glossNumbers[gloss])
    out.copy(bytes, this.#at, this.#at + meaning)
    out.byte(quote)
  }

  /** Whether a word is what it is in another table. */
  isSame(row: number, other: WordEntries, otherRow: number): boolean {
    const bytesOf = ({ end, start }: { start: number; end: number }, bytes: Buffer) =>
      bytes.subarray(start, end)
    return bytesOf(this.#range(row), this.#bytes).equals(bytesOf(other.#range(otherRow), other.#bytes))
  }

  #range(row: number): { start: number; end: number } {
    return { start: this.#entryAt[row]!, end: this.#entryAt[row + 1]! }
  }

  /** Goes from the mask to the meaning in a gloss, else in English; gives its length, 0 where there is neither. */
  #findMeaning(gloss: number): number {
    const mask = this.#bytes[this.#at++]!
    const wanted = mask & (1 << gloss) ? gloss : english
    if ((mask & (1 << wanted)) === 0) return 0
    for (let i = 0; i < wanted; i++) {
      if ((mask & (1 << i)) === 0) continue
      const length = this.#readVarint()
      this.#at += length
    }
    return this.#readVarint()
  }

  #readText(): string {
    const length = this.#readVarint()
    return this.#bytes.toString('utf8', this.#at, (this.#at += length))
  }

  #readVarint(): number {
    const bytes = this.#bytes
    let byte = bytes[this.#at++]!
    if (byte < 128) return byte
    let value = byte & 127
    for (let unit = 128; ; unit *= 128) {
      byte = bytes[this.#at++]!
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }
}
