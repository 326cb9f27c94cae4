import type { ByteWriter } from '#kit/byte-writer.ts'

/** An item of a word's list and what it is sorted by. */
export interface Item {
  hardness: number
  /** `tieOf` its clip id: tells the order of items that are as hard, nearly always. */
  tie: number
  clipId(): string
  /** Appends its JSON. */
  writeTo(out: ByteWriter): void
}

/** The first 48 bits of a clip id, as a number. */
export function tieOf(clipId: string): number {
  return Number.parseInt(clipId.slice(0, 8) + clipId.slice(9, 13), 16)
}

/** The order of a list: by hardness, then by clip id (contract 1.5). */
export function byEase(a: Item, b: Item): number {
  return a.hardness - b.hardness || a.tie - b.tie || (a.clipId() < b.clipId() ? -1 : 1)
}

/** Two sorted lists as one. */
export function inOneOrder(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one
  const items: Item[] = []
  let i = 0
  for (const item of other) {
    while (i < one.length && byEase(one[i]!, item) < 0) items.push(one[i++]!)
    items.push(item)
  }
  while (i < one.length) items.push(one[i++]!)
  return items
}
