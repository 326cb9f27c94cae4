import type { ByteWriter } from '#kit/byte-writer.ts'
import { sortPairs } from '#kit/sort-pairs.ts'
import { coarseHardness } from '#rendering/word-clips.ts'

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

/** Below this many, items are as soon compared. */
const few = 64

/**
 * Gives the items in the order of a list. They are sorted by the beginnings of their places, as
 * numbers, in a third of the time that comparing them takes; only those that begin alike are
 * compared.
 */
export function inOrderOfEase<Some extends Item>(items: readonly Some[]): Some[] {
  if (items.length < few) return items.toSorted(byEase)
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
  for (const [i, item] of items.slice(from, to).sort(byEase).entries()) items[from + i] = item
}

/**
 * In 32 bits: the hardness in half of them, and where that tells all of it the beginning of the
 * clip id.
 */
function beginningOf({ hardness, tie }: Item): number {
  const { coarse, isExact } = coarseHardness(hardness)
  return coarse * 2 ** 16 + (isExact ? Math.floor(tie / 2 ** 32) : 0)
}

/** The order of a list: by hardness, then by clip id (contract 1.5). */
function byEase(a: Item, b: Item): number {
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
