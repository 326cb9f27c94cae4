import type { ByteWriter } from '#kit/byte-writer.ts'
import { sortPairs } from '#kit/sort-pairs.ts'
import { coarseSortKey } from '#rendering/word-clips.ts'

/** An item of a word's list, and what it is sorted by. */
export interface Item {
  sortKey: number
  /** `tieOf` its clip id: orders nearly all items with equal keys. */
  tie: number
  clipId(): string
  /** Appends its JSON. */
  writeTo(out: ByteWriter): void
}

/** The first 48 bits of a clip id, as a number. */
export function tieOf(clipId: string): number {
  return Number.parseInt(clipId.slice(0, 8) + clipId.slice(9, 13), 16)
}

/** Below this many items, comparing them is as fast. */
const few = 64

/**
 * Sorts items into the order of a list. They are sorted by 32-bit prefixes of what they are sorted
 * by, in a third of the time that comparing them takes; only items with equal prefixes are
 * compared.
 */
export function sortItems<Some extends Item>(items: readonly Some[]): Some[] {
  if (items.length < few) return items.toSorted(byPlace)
  const pairs = new Uint32Array(items.length * 2)
  for (let i = 0; i < items.length; i++) {
    pairs[i * 2] = i
    pairs[i * 2 + 1] = beginningOf(items[i]!)
  }
  const [beginnings, places] = sortPairs(pairs)
  const sorted = Array.from(places, (place) => items[place]!)
  for (let from = 0, to = 1; to <= sorted.length; to++) {
    if (beginnings[to] === beginnings[from]) continue
    if (to - from > 1) sortRun(sorted, from, to)
    from = to
  }
  return sorted
}

function sortRun(items: Item[], from: number, to: number): void {
  for (const [i, item] of items.slice(from, to).sort(byPlace).entries()) items[from + i] = item
}

/** In 32 bits: a coarse sort key, and if that is exact the beginning of the clip id. */
function beginningOf({ sortKey, tie }: Item): number {
  const { coarse, isExact } = coarseSortKey(sortKey)
  return coarse * 2 ** 16 + (isExact ? Math.floor(tie / 2 ** 32) : 0)
}

/** The order of a list: by sort key, then by clip id (contract 1.5). */
function byPlace(a: Item, b: Item): number {
  return a.sortKey - b.sortKey || a.tie - b.tie || (a.clipId() < b.clipId() ? -1 : 1)
}

/** Merges two sorted lists. */
export function mergeSorted(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one
  const items: Item[] = []
  let i = 0
  for (const item of other) {
    while (i < one.length && byPlace(one[i]!, item) < 0) items.push(one[i++]!)
    items.push(item)
  }
  while (i < one.length) items.push(one[i++]!)
  return items
}
