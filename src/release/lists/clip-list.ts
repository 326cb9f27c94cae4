import { sha256 } from '#kit/digest.ts'
import { partitionPoint } from '#kit/lower-bound.ts'

/**
 * The published list of a word's clips, easiest first: a segment of items that were written
 * together, and what came to the list and left it since, as search engines keep their postings
 * (Lucene, "segments" and "deleted documents").
 */
export interface ClipList {
  /** Clips by their level, A1 to C2: the list is sorted by level first. */
  clipsByLevel: readonly number[]
  base: Segment
  /** null where the base is the whole list. */
  since: Since | null
}

/** Items that were written together, in pages of their own. */
export interface Segment {
  /** Of its items, 64 bits in hexadecimal: part of the names of its files. */
  digest: string
  /**
   * File by file: where every 16th item begins, in bytes, where the last one ends, and the first 64
   * bits of the file's SHA-256.
   */
  checkpoints: ArrayLike<number>
}

/** What came to a list and left it since its base was written. */
export interface Since extends Merging {
  /** The items that came; null where none did. */
  later: Segment | null
  /** The clips of the items of `gone`, in their order, as packed UUIDs end to end. */
  goneIds: Uint8Array
}

/** How the items of two segments are one list. */
export interface Merging {
  /** The places of the later items in the list, ascending. */
  places: Uint32Array
  /** The items of the base that left the list, by their number in it, ascending. */
  gone: Uint32Array
}

/** How many items a page of a segment holds; the last may hold fewer. */
export const itemsPerPage = 500
/** How many items lie between two checkpoints. */
export const itemsPerStep = 16
/** How many numbers of the checkpoints hold the digest of a page. */
export const digestNumbers = 2
/** How many numbers a full page takes in the checkpoints. */
export const numbersPerFullPage = Math.ceil(itemsPerPage / itemsPerStep) + 1 + digestNumbers

/** The first 64 bits of the SHA-256 of a file, as two numbers of 32. */
export interface PageDigest {
  high: number
  low: number
}

export function pageDigest(bytes: Uint8Array): PageDigest {
  const digest = sha256(bytes)
  return { high: digest.readUInt32BE(0), low: digest.readUInt32BE(4) }
}

/** Whether these are the bytes of the page with this digest. */
export function isPage(bytes: Uint8Array, { high, low }: PageDigest): boolean {
  const found = pageDigest(bytes)
  return found.high === high && found.low === low
}

/** The same of a digest as text, of which these are the first 64 bits. */
export function pageDigestOf(digest: string, encoding: 'hex' | 'base64url'): PageDigest {
  const bytes = Buffer.from(digest, encoding)
  return { high: bytes.readUInt32BE(0), low: bytes.readUInt32BE(4) }
}

/** How many pages a segment of so many items has. */
export function pagesOf(count: number): number {
  return Math.ceil(count / itemsPerPage)
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

/** How many items the base of a list holds. */
export function baseCountOf(list: Pick<ClipList, 'clipsByLevel' | 'since'>): number {
  return clipCountOf(list) - (list.since ? list.since.places.length - list.since.gone.length : 0)
}

/** The number in the base of the item that is the `left`th of those that are left of it. */
export function numberInBase(left: number, gone: Uint32Array): number {
  return left + partitionPoint(0, gone.length, (i) => gone[i]! - i <= left)
}
