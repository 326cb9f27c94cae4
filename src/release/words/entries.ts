import { isDeepStrictEqual } from 'node:util'
import { glosses, type Gloss, type Meanings } from '#contract/glosses.ts'
import { levels, type Level } from '#contract/levels.ts'
import { ByteReader } from '#kit/byte-reader.ts'
import { prefetch } from '#kit/prefetch.ts'
import { viewOf, type ByteWriter } from '#kit/byte-writer.ts'
import type { Sections } from '../table-file.ts'

/** What the catalogue says of a word. */
export interface WordEntry {
  wordId: number
  word: string
  level: Level
  meanings: Meanings
  forms: string[]
}

/** A table has at most this many glosses: the mask of an entry is a whole number below 2⁵³. */
const mostGlosses = 53

/** The glosses in the order of a table: English first, whatever their order in the contract. */
const tableGlosses: readonly string[] = ['en', ...glosses.filter((gloss) => gloss !== 'en')]

/** The section `glosses` of a table: codes separated by spaces, English first. */
export function glossBytes(list: readonly string[] = tableGlosses): Uint8Array<ArrayBuffer> {
  if (list[0] !== 'en' || list.length > mostGlosses)
    throw new RangeError(
      `cannot write the glosses ${list.join(' ')}: en must be first, of at most ${mostGlosses}`,
    )
  return new TextEncoder().encode(list.join(' '))
}

/**
 * Appends the entry of a word (FORMAT.md, "words.bin"). It begins with the JSON that English
 * answers show, so that most answers need one copy. `list` are the glosses of the table.
 */
export function writeEntry(
  out: ByteWriter,
  { wordId, word, level, meanings, forms }: WordEntry,
  list: readonly string[] = tableGlosses,
): void {
  const byGloss = meanings as Readonly<Record<string, string | undefined>>
  const spelled = withinQuotes(word)
  const front = Buffer.from(`${spelled}","wordId":${wordId},"level":"${level}","meaning":"`)
  const meaning = Buffer.from(withinQuotes(meanings.en ?? ''))
  out.varint(front.length + meaning.length)
  out.copy(front)
  out.copy(meaning)
  out.varint(meaning.length)
  out.varint(Buffer.byteLength(spelled))
  out.varint(wordId * 8 + levels.indexOf(level))
  out.varint(list.reduce((mask, gloss, i) => mask + (byGloss[gloss] === undefined ? 0 : 2 ** i), 0))
  for (const gloss of list.slice(1))
    if (byGloss[gloss] !== undefined) writeText(out, withinQuotes(byGloss[gloss]))
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

/** How the JSON of every word begins. */
export const wordOpening = '{"word":"'

/**
 * The part of an entry before the meanings in other glosses than English. Places and lengths are in
 * bytes.
 */
interface EntryHead {
  shownAt: number
  wordLength: number
  englishAt: number
  englishLength: number
  wordId: number
  /** Its rank. */
  level: number
  /** Which glosses of the table have a meaning, a bit each. */
  mask: number
}

/** The number of English among the glosses of a table. */
const english = 0

function hasGloss(mask: number, number: number): boolean {
  return mask % 2 ** (number + 1) >= 2 ** number
}

/** The entries of an opened table. */
export class WordEntries {
  readonly #entryAt: Uint32Array
  readonly #bytes: Buffer
  readonly #view: DataView
  /** The same memory as 32-bit words. */
  readonly #words: Uint32Array
  readonly #reader: ByteReader<Buffer>
  /** The glosses of the table; the program may have others. */
  readonly #glosses: readonly string[]
  readonly #glossNumbers: ReadonlyMap<string, number>

  constructor(sections: Sections) {
    this.#entryAt = sections.u32('entryAt')
    this.#bytes = sections.u8('entries')
    this.#view = viewOf(this.#bytes)
    this.#words = sections.words('entries')
    this.#reader = new ByteReader(this.#bytes)
    this.#glosses = sections.u8('glosses').toString().split(' ')
    this.#glossNumbers = new Map(this.#glosses.map((gloss, i) => [gloss, i]))
  }

  wordId(row: number): number {
    return this.#readHead(this.entryAt(row)).wordId
  }

  /** The headword. */
  word(row: number): string {
    const { shownAt, wordLength } = this.#readHead(this.entryAt(row))
    return this.#quoted(shownAt, wordLength)
  }

  read(row: number): WordEntry {
    const { shownAt, wordLength, englishAt, englishLength, wordId, level, mask } = this.#readHead(
      this.entryAt(row),
    )
    const meanings: Record<string, string> = {}
    if (hasGloss(mask, english)) meanings.en = this.#quoted(englishAt, englishLength)
    for (const [i, gloss] of this.#glosses.entries()) {
      if (i === english || !hasGloss(mask, i)) continue
      const length = this.#reader.varint()
      meanings[gloss] = this.#quoted(this.#reader.at, length)
      this.#reader.at += length
    }
    const forms = Array.from({ length: this.#reader.varint() }, () => this.#readText())
    return {
      wordId,
      word: this.#quoted(shownAt, wordLength),
      level: levels[level]!,
      meanings: meanings as Meanings,
      forms,
    }
  }

  /** Where the entry of a word stands. */
  entryAt(row: number): number {
    return this.#entryAt[row]!
  }

  /**
   * Appends the JSON of a word from behind its `wordOpening` up to its meaning, in the gloss asked
   * for, else in English, else none (contract 2), without the quote behind it: callers have these
   * in one piece with what surrounds them.
   */
  writeShown(out: ByteWriter, place: number, gloss: Gloss): void {
    const number = this.#glossNumbers.get(gloss) ?? english
    if (number !== english) return this.#writeInOther(out, place, number)
    const length = this.#lengthAt(place)
    out.append(this.#view, this.#reader.at, this.#reader.at + length)
  }

  #writeInOther(out: ByteWriter, place: number, gloss: number): void {
    const { shownAt, englishAt, mask } = this.#readHead(place)
    if (!hasGloss(mask, gloss)) return this.writeShown(out, place, 'en')
    out.append(this.#view, shownAt, englishAt)
    const reader = this.#reader
    for (let i = english + 1; i < gloss; i++) {
      if (!hasGloss(mask, i)) continue
      const passed = reader.varint()
      reader.at += passed
    }
    const length = reader.varint()
    out.append(this.#view, reader.at, reader.at + length)
  }

  prefetch(places: readonly number[]): void {
    prefetch(
      this.#words,
      places.map((place) => place >> 2),
    )
  }

  /** Whether a word is the same in another table. */
  isSame(row: number, other: WordEntries, otherRow: number): boolean {
    // The same bytes mean something else if the glosses differ.
    if (!isDeepStrictEqual(this.#glosses, other.#glosses))
      return isDeepStrictEqual(this.read(row), other.read(otherRow))
    const bytesOf = (entries: WordEntries, at: number) =>
      entries.#bytes.subarray(entries.#entryAt[at], entries.#entryAt[at + 1])
    return bytesOf(this, row).equals(bytesOf(other, otherRow))
  }

  /** Reads an entry up to its meanings in other glosses than English. */
  #readHead(place: number): EntryHead {
    const reader = this.#reader
    const shownLength = this.#lengthAt(place)
    const shownAt = reader.at
    reader.at += shownLength
    const englishLength = reader.varint()
    const wordLength = reader.varint()
    const head = reader.varint()
    return {
      shownAt,
      wordLength,
      englishAt: shownAt + shownLength - englishLength,
      englishLength,
      wordId: Math.floor(head / 8),
      level: head % 8,
      mask: reader.varint(),
    }
  }

  /** Moves to an entry and reads the length of its JSON. */
  #lengthAt(place: number): number {
    this.#reader.at = place
    return this.#reader.varint()
  }

  /** Decodes a text that is stored as a JSON string without its quotes. */
  #quoted(from: number, length: number): string {
    return JSON.parse(`"${this.#bytes.toString('utf8', from, from + length)}"`) as string
  }

  #readText(): string {
    const length = this.#reader.varint()
    const from = this.#reader.at
    this.#reader.at += length
    return this.#bytes.toString('utf8', from, this.#reader.at)
  }
}
