import { ByteWriter } from '#kit/byte-writer.ts'
import { idFrom, idTo } from '#release/lists/layout.ts'
import { sortKeyOf } from '#rendering/word-clips.ts'

/** Bytes that hold items. */
export interface ItemSource {
  /** Appends the bytes `from … to`. */
  copyTo(out: ByteWriter, from: number, to: number): void
}

/** Bytes in memory, as a source of items. */
export function inMemory(bytes: Buffer): ItemSource {
  return { copyTo: (out, from, to) => out.copy(bytes, from, to) }
}

/**
 * The items of a word's list as its pages show them. Only the numbers that they are sorted by are
 * parsed. They lie in columns, because there may be a million: an object for each takes twice the
 * memory.
 */
export class ListItems {
  readonly #sources: ItemSource[] = []
  /** Where the JSON begins and ends in its source. */
  readonly #from: number[] = []
  readonly #to: number[] = []
  readonly #sortKeys: number[] = []
  /** `tieOf` the clip ids: orders nearly all items with equal keys. */
  readonly #ties: number[] = []

  get count(): number {
    return this.#sources.length
  }

  /**
   * Adds the item whose JSON is `bytes[from … to)`. Later it is read from `source`, where it begins
   * at `place`. `rank` is that of the level of the clip.
   */
  add(source: ItemSource, place: number, bytes: Buffer, from: number, to: number, rank: number): void {
    this.#sources.push(source)
    this.#from.push(place)
    this.#to.push(place + to - from)
    this.#sortKeys.push(readSortKey(bytes, from, rank))
    this.#ties.push(tieAt(bytes, from))
  }

  /** The numbers of the items in the order of a list: sort key, then clip id (contract 1.5). */
  sorted(): number[] {
    const [sortKeys, ties] = [this.#sortKeys, this.#ties]
    return [...sortKeys.keys()].sort(
      (a, b) =>
        sortKeys[a]! - sortKeys[b]! || ties[a]! - ties[b]! || (this.#clipId(a) < this.#clipId(b) ? -1 : 1),
    )
  }

  sortKey(number: number): number {
    return this.#sortKeys[number]!
  }

  /** Appends the JSON of an item. */
  writeTo(out: ByteWriter, number: number): void {
    this.#sources[number]!.copyTo(out, this.#from[number]!, this.#to[number]!)
  }

  #clipId(number: number): string {
    const out = new ByteWriter(idTo - idFrom)
    const from = this.#from[number]!
    this.#sources[number]!.copyTo(out, from + idFrom, from + idTo)
    return out.byteText()
  }
}

/** The id of the clip of the item that begins at `from`. */
export function clipIdAt(bytes: Buffer, from: number): string {
  return bytes.toString('latin1', from + idFrom, from + idTo)
}

/** The first 48 bits of a clip id, as a number. */
export function tieOf(clipId: string): number {
  return Number.parseInt(clipId.slice(0, 8) + clipId.slice(9, 13), 16)
}

/** Every item begins `{"clip":"<clipId>","knownShare":`. */
export const shareAt = idTo + '","knownShare":'.length
const beforeCount = '"occurrenceCount":'.length

/**
 * Parses digit by digit: there may be millions of items, and making a string of each number takes
 * longer than all the rest.
 */
function readSortKey(bytes: Buffer, from: number, rank: number): number {
  let at = from + shareAt
  // `1`, `0`, `0.5` or `0.87`: hundredths.
  let hundredths = (bytes[at++]! - zero) * 100
  if (bytes[at] === point) {
    hundredths += (bytes[at + 1]! - zero) * 10
    if (isDigit(bytes[at + 2]!)) hundredths += bytes[at + 2]! - zero
    while (bytes[at] !== comma) at++
  }
  let occurrenceCount = 0
  for (at += 1 + beforeCount; isDigit(bytes[at]!); at++)
    occurrenceCount = occurrenceCount * 10 + bytes[at]! - zero
  return sortKeyOf(rank, { knownShare: hundredths / 100, occurrenceCount })
}

/** `tieOf` the clip id of an item. */
function tieAt(bytes: Buffer, from: number): number {
  let tie = 0
  for (let i = 0; i < 13; i++) {
    const byte = bytes[from + idFrom + i]!
    if (byte !== hyphen) tie = tie * 16 + (isDigit(byte) ? byte - zero : byte - smallA + 10)
  }
  return tie
}

const [zero, point, comma, hyphen, smallA] = [48, 46, 44, 45, 97]

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= zero + 9
}
