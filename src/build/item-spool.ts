import { appendFileSync, existsSync, mkdirSync, readFileSync, truncate } from 'node:fs'
import { join } from 'node:path'
import { itemOpening } from '#release/words/pages.ts'
import { idLength } from '#release/clips/layout.ts'

/**
 * How many buckets the words are divided into, by `wordId`. Each worker has one in memory at a
 * time.
 */
export const bucketCount = 512
/** A bucket is written to its file when it would hold more than this many bytes. */
const flushBytes = 64 * 1024

/** An item of a word's list on its way: a line, with the word and what it is sorted by. */
export function itemLine(wordId: number, sortKey: number, json: string): string {
  return `${wordId} ${sortKey} ${json}\n`
}

/**
 * Items on their way from clips to words: added clip by clip by each worker of the build, read word
 * by word. They go through files, one per bucket and worker, so that memory holds one bucket and
 * not the corpus.
 */
export class ItemSpool {
  readonly #folder: string
  readonly #worker: number
  /** By bucket, what is not written yet. */
  readonly #pending = new Map<number, { bytes: Buffer; length: number }>()

  constructor(folder: string, worker: number) {
    this.#folder = folder
    this.#worker = worker
  }

  /** Adds the items of a clip: whole lines. */
  add(lines: Buffer): void {
    for (let from = 0; from < lines.length;) {
      const to = lines.indexOf(lineFeed, from) + 1
      this.#put(numberAt(lines, from) % bucketCount, lines, from, to)
      from = to
    }
  }

  /** Lines are copied, because one that waits would keep those of its whole clip in memory. */
  #put(bucket: number, lines: Buffer, from: number, to: number): void {
    const newBytes = () => ({ bytes: Buffer.allocUnsafeSlow(flushBytes), length: 0 })
    const pending = this.#pending.getOrInsertComputed(bucket, newBytes)
    if (pending.length + to - from > flushBytes) this.#flush(bucket)
    if (to - from > flushBytes) return this.#append(bucket, lines.subarray(from, to))
    pending.length += lines.copy(pending.bytes, pending.length, from, to)
  }

  /** Writes what is in memory, and frees it. */
  end(): void {
    for (const bucket of this.#pending.keys()) this.#flush(bucket)
    this.#pending.clear()
  }

  #flush(bucket: number): void {
    const pending = this.#pending.get(bucket)!
    this.#append(bucket, pending.bytes.subarray(0, pending.length))
    pending.length = 0
  }

  #append(bucket: number, bytes: Buffer): void {
    mkdirSync(this.#folder, { recursive: true })
    appendFileSync(spoolPath(this.#folder, bucket, this.#worker), bytes)
  }
}

/** An item of a word's list: its JSON is `bytes[from … to)`. */
export interface SpooledItem {
  bytes: Buffer
  from: number
  to: number
  sortKey: number
  /** The first 48 bits of the clip id, which order nearly all items of the same key. */
  tie: number
}

/**
 * Reads the items of a bucket by word, of all workers, whose spools have ended, and empties the
 * files.
 */
export function takeBucket(folder: string, bucket: number, workers: number): Map<number, SpooledItem[]> {
  const items = new Map<number, SpooledItem[]>()
  for (let worker = 0; worker < workers; worker++) {
    const path = spoolPath(folder, bucket, worker)
    if (!existsSync(path)) continue
    const bytes = readFileSync(path)
    for (let at = 0; at < bytes.length;) {
      const end = bytes.indexOf(lineFeed, at)
      const keyAt = bytes.indexOf(blank, at) + 1
      const from = bytes.indexOf(blank, keyAt) + 1
      if (end < from) throw new RangeError(`"${path}" is cut short`)
      items
        .getOrInsertComputed(numberAt(bytes, at), () => [])
        .push({ bytes, from, to: end, sortKey: numberAt(bytes, keyAt), tie: tieAt(bytes, from) })
      at = end + 1
    }
    // So that what is not on the disk yet need not be written. It is not deleted until the build
    // ends: ext4 skips the inodes of recently deleted files one by one whenever it creates a file.
    // Not awaited, because it may wait for the disk; if it fails, the file stays until then.
    truncate(path, () => {})
  }
  return items
}

/** The order of a list: sort key, then clip id (contract 1.5). */
export function compareItems(a: SpooledItem, b: SpooledItem): number {
  return a.sortKey - b.sortKey || a.tie - b.tie || (clipIdOf(a) < clipIdOf(b) ? -1 : 1)
}

/** The id of the clip of an item. */
export function clipIdOf({ bytes, from }: SpooledItem): string {
  return bytes.toString('latin1', from + itemOpening.length, from + itemOpening.length + idLength)
}

const [lineFeed, blank, hyphen, zero, smallA] = [10, 32, 45, 48, 97]

/** The number whose digits begin at a place. No text is made of it: there are millions of items. */
function numberAt(bytes: Buffer, at: number): number {
  let value = 0
  for (let digit = bytes[at]! - zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero)
    value = value * 10 + digit
  return value
}

function tieAt(bytes: Buffer, from: number): number {
  let tie = 0
  for (let at = from + itemOpening.length, end = at + 13; at < end; at++) {
    const byte = bytes[at]!
    if (byte !== hyphen) tie = tie * 16 + (byte < smallA ? byte - zero : byte - smallA + 10)
  }
  return tie
}

function spoolPath(folder: string, bucket: number, worker: number): string {
  return join(folder, `${bucket}.${worker}`)
}
