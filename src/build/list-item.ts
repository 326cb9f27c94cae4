import type { ByteWriter } from '#kit/byte-writer.ts'
import { idFrom, idTo } from '#release/lists/layout.ts'
import { sortKeyOf } from '#rendering/word-clips.ts'

/**
 * An item of a word's list as its pages show it: `bytes[from … to)` is its JSON. Only the numbers
 * that it is sorted by are parsed.
 */
export class ListItem {
  readonly sortKey: number
  /** `tieOf` its clip id: orders nearly all items with equal keys. */
  readonly tie: number
  readonly #bytes: Buffer
  readonly #from: number
  readonly #to: number

  /** `rank` is that of the level of the clip. */
  constructor(bytes: Buffer, from: number, to: number, rank: number) {
    this.sortKey = readSortKey(bytes, from, rank)
    this.tie = tieAt(bytes, from)
    this.#bytes = bytes
    this.#from = from
    this.#to = to
  }

  clipId(): string {
    return this.#bytes.toString('latin1', this.#from + idFrom, this.#from + idTo)
  }

  writeTo(out: ByteWriter): void {
    out.copy(this.#bytes, this.#from, this.#to)
  }
}

/** The first 48 bits of a clip id, as a number. */
export function tieOf(clipId: string): number {
  return Number.parseInt(clipId.slice(0, 8) + clipId.slice(9, 13), 16)
}

/** The order of a list: by sort key, then by clip id (contract 1.5). */
export function byPlace(a: ListItem, b: ListItem): number {
  return a.sortKey - b.sortKey || a.tie - b.tie || (a.clipId() < b.clipId() ? -1 : 1)
}

/** Merges two sorted lists. */
export function mergeSorted(one: readonly ListItem[], other: readonly ListItem[]): readonly ListItem[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one
  const items: ListItem[] = []
  let i = 0
  for (const item of other) {
    while (i < one.length && byPlace(one[i]!, item) < 0) items.push(one[i++]!)
    items.push(item)
  }
  while (i < one.length) items.push(one[i++]!)
  return items
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
