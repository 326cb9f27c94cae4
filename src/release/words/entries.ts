import { glosses, type Gloss, type Meanings } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import { viewOf, type ByteWriter } from '#kit/byte-writer.ts'

/** What the catalogue says of a word. */
export interface WordEntry {
  wordId: number
  word: string
  level: Level
  meanings: Meanings
  forms: string[]
}

/**
 * Appends the entry of a word (FORMAT.md, "words.bin"). It begins with what answers show of the word, as they show it in English, so that most need one copy.
 */
export function writeEntry(out: ByteWriter, { wordId, word, level, meanings, forms }: WordEntry): void {
  const spelled = withinQuotes(word)
  const front = Buffer.from(`${spelled}","wordId":${wordId},"level":"${level}","meaning":"`)
  const meaning = Buffer.from(withinQuotes(meanings.en ?? ''))
  out.varint(front.length + meaning.length)
  out.copy(front)
  out.copy(meaning)
  out.varint(meaning.length)
  out.varint(Buffer.byteLength(spelled))
  out.varint(wordId * 8 + levels.indexOf(level))
  out.byte(glosses.reduce((mask, gloss, i) => mask | (meanings[gloss] === undefined ? 0 : 1 << i), 0))
  for (const gloss of glosses)
    if (gloss !== 'en' && meanings[gloss] !== undefined) writeText(out, withinQuotes(meanings[gloss]))
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

const glossNumbers = Object.fromEntries(glosses.map((gloss, i) => [gloss, i])) as Record<Gloss, number>
const english = glossNumbers.en

/** How the JSON of every word begins. */
export const wordOpening = '{"word":"'

/** What an entry says before the meanings in other glosses than English; places and lengths are in bytes. */
interface EntryHead {
  shownAt: number
  wordLength: number
  englishAt: number
  englishLength: number
  wordId: number
  /** Its rank. */
  level: number
  /** Bit by bit the glosses that have a meaning. */
  mask: number
}

/** The entries of an opened table, one behind another. */
export class WordEntries {
  readonly #entryAt: Uint32Array
  readonly #bytes: Buffer
  readonly #view: DataView
  /** How far the entry at hand has been read. */
  #at = 0
  readonly #read = new Uint32Array(1)

  constructor(entryAt: Uint32Array, entries: Uint8Array<ArrayBuffer>) {
    this.#entryAt = entryAt
    this.#bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.length)
    this.#view = viewOf(entries)
  }

  wordId(row: number): number {
    return this.#readHead(this.entryAt(row)).wordId
  }

  read(row: number): WordEntry {
    const { shownAt, wordLength, englishAt, englishLength, wordId, level, mask } = this.#readHead(
      this.entryAt(row),
    )
    const quoted = (from: number, length: number) =>
      JSON.parse(`"${this.#bytes.toString('utf8', from, from + length)}"`) as string
    const meanings: Meanings = {}
    if (mask & (1 << english)) meanings.en = quoted(englishAt, englishLength)
    for (const [i, gloss] of glosses.entries()) {
      if (i === english || (mask & (1 << i)) === 0) continue
      const length = this.#readVarint()
      meanings[gloss] = quoted(this.#at, length)
      this.#at += length
    }
    const forms = Array.from({ length: this.#readVarint() }, () => this.#readText())
    return { wordId, word: quoted(shownAt, wordLength), level: levels[level]!, meanings, forms }
  }

  /** Where the entry of a word stands. */
  entryAt(row: number): number {
    return this.#entryAt[row]!
  }

  /** Reads a little of the entries at these places, so that they come from memory together. A negative place is none. */
  fetch(places: readonly number[]): void {
    const bytes = this.#bytes
    let sum = 0
    for (let i = 0; i < places.length; i++) {
      const at = places[i]!
      if (at >= 0) sum ^= bytes[at]! ^ bytes[at + 63]!
    }
    // Kept, or the reading would be left out.
    this.#read[0] = sum
  }

  /**
   * Appends the JSON of a word, but for its `wordOpening`, up to its meaning in the gloss asked for, else in English, else none (contract 2), without the quote behind
   * it: callers have these in one piece with what stands around.
   */
  writeShown(out: ByteWriter, place: number, gloss: Gloss): void {
    const number = glossNumbers[gloss]
    if (number !== english) return this.#writeInOther(out, place, number)
    this.#at = place
    const length = this.#readVarint()
    out.append(this.#view, this.#at, this.#at + length)
  }

  #writeInOther(out: ByteWriter, place: number, gloss: number): void {
    const { shownAt, englishAt, mask } = this.#readHead(place)
    if ((mask & (1 << gloss)) === 0) return this.writeShown(out, place, 'en')
    out.append(this.#view, shownAt, englishAt)
    for (let i = 0; i < gloss; i++) {
      if (i === english || (mask & (1 << i)) === 0) continue
      const passed = this.#readVarint()
      this.#at += passed
    }
    const length = this.#readVarint()
    out.append(this.#view, this.#at, this.#at + length)
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

  /** Reads an entry up to its meanings in other glosses than English. */
  #readHead(at: number): EntryHead {
    this.#at = at
    const shownLength = this.#readVarint()
    const shownAt = this.#at
    this.#at += shownLength
    const englishLength = this.#readVarint()
    const wordLength = this.#readVarint()
    const head = this.#readVarint()
    return {
      shownAt,
      wordLength,
      englishAt: shownAt + shownLength - englishLength,
      englishLength,
      wordId: Math.floor(head / 8),
      level: head % 8,
      mask: this.#bytes[this.#at++]!,
    }
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
