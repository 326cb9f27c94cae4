import { partitionPoint } from '#kit/lower-bound.ts'

/**
 * The published list of a word's clips, easiest first: a segment of items that were written
 * together, and what was added and deleted since (as Lucene keeps segments and deleted documents).
 */
export interface ClipList {
  /** Clips by their level, A1 to C2: the list is sorted by level first. */
  clipsByLevel: readonly number[]
  base: ListSegment
  /** null if the base is the whole list. */
  since: Since | null
}

/** Items that were written together, in pages of their own. */
export interface ListSegment {
  /** Of its items, 64 bits in hexadecimal: part of the names of its files. */
  digest: string
  /**
   * Page by page: where every 16th item begins, in bytes, where the last one ends, and the first 64
   * bits of the SHA-256 of the page.
   */
  checkpoints: ArrayLike<number>
}

/** What was added to a list and deleted from it since its base was written. */
export interface Since extends Merging {
  /** The added items; null if there are none. */
  later: ListSegment | null
  /** The clips of the items of `gone`, in their order, as packed UUIDs end to end. */
  goneIds: Uint8Array
}

/** How the items of two segments are one list. */
export interface Merging {
  /** The places of the later items in the list, ascending. */
  places: Uint32Array
  /** The items of the base that are deleted, by their number in it, ascending. */
  gone: Uint32Array
}

/** A segment by its name, and how many items it holds. */
export interface NamedSegment {
  digest: string
  count: number
}

/** How many items a list holds. */
export function clipCountOf({ clipsByLevel }: Pick<ClipList, 'clipsByLevel'>): number {
  return clipsByLevel.reduce((sum, count) => sum + count, 0)
}

/** How many items the base of a list holds, deleted ones included. */
export function baseCountOf(list: Pick<ClipList, 'clipsByLevel' | 'since'>): number {
  return clipCountOf(list) - (list.since ? list.since.places.length - list.since.gone.length : 0)
}

/** The number in the base of an item that `left` items which are not deleted come before. */
export function numberInBase(left: number, gone: Uint32Array): number {
  return left + partitionPoint(0, gone.length, (i) => gone[i]! - i <= left)
}
