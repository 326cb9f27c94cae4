import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  truncate,
} from 'node:fs'
import { join } from 'node:path'
import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { unpackUuid } from '#kit/uuid.ts'
import { skipWordClip, unpackWordClip } from '#rendering/packed-word-clip.ts'
import type { Item } from './item-order.ts'

/** How many buckets the words are divided into: of each worker one is in memory at a time. */
export const bucketCount = 512
const flushBytes = 8 * 1024 * 1024

/** An item that is added to a word's list, packed in the memory of its bucket. */
export class SpooledItem implements Item {
  readonly sortKey: number
  readonly tie: number
  readonly #bytes: Buffer
  readonly #from: number

  /** Reads the item that `reader` is at. */
  constructor(reader: ByteReader<Buffer>) {
    this.#bytes = reader.bytes
    this.#from = reader.at
    const { sortKey, tie } = skipWordClip(reader)
    this.sortKey = sortKey
    this.tie = tie
  }

  clipId(): string {
    return unpackUuid(this.#bytes, this.#from)
  }

  writeTo(out: ByteWriter): void {
    unpackWordClip(this.#bytes, this.#from, out)
  }
}

/** The bucket of a word. */
export function bucketOf(wordId: number): number {
  return wordId % bucketCount
}

/**
 * Word→clip items on their way from clips to words: added clip by clip by each worker of the build,
 * read word by word. They go through files, one per bucket and worker, so that memory holds one
 * bucket and not the corpus.
 */
export class WordSpool {
  readonly #folder: string
  readonly #worker: number
  #pending = emptyBuckets()
  #pendingBytes = 0

  constructor(folder: string, worker: number) {
    this.#folder = folder
    this.#worker = worker
  }

  /** Adds an item, which `pack` appends (`WordClipPacker`). */
  put(wordId: number, pack: (out: ByteWriter) => void): void {
    const out = this.#pending[bucketOf(wordId)]!
    const from = out.length
    out.u32(wordId)
    pack(out)
    this.#pendingBytes += out.length - from
    if (this.#pendingBytes > flushBytes) this.#flush()
  }

  /** Writes what is in memory, and frees it. */
  end(): void {
    this.#flush()
    this.#pending = emptyBuckets()
  }

  #flush(): void {
    mkdirSync(this.#folder, { recursive: true })
    for (const [bucket, out] of this.#pending.entries()) {
      if (out.length === 0) continue
      appendFileSync(spoolPath(this.#folder, bucket, this.#worker), out.view())
      out.length = 0
    }
    this.#pendingBytes = 0
  }
}

function emptyBuckets(): ByteWriter[] {
  return Array.from({ length: bucketCount }, () => new ByteWriter(0))
}

/**
 * Reads the items of a bucket by word, of all workers, whose spools have ended. They are views of
 * `memory` until the next bucket is read into it.
 *
 * The files are truncated afterwards, so that what is not on the disk yet need not be written. They
 * are not deleted until the build ends: ext4 skips the inodes of recently deleted files one by one
 * whenever it creates a file.
 */
export function readBucket(
  folder: string,
  bucket: number,
  workers: number,
  memory: ByteWriter,
): Map<number, SpooledItem[]> {
  const paths = Array.from({ length: workers }, (_, worker) => spoolPath(folder, bucket, worker)).filter(
    existsSync,
  )
  memory.clear()
  memory.reserve(paths.reduce((sum, path) => sum + statSync(path).size, 0))
  for (const path of paths) {
    appendFile(memory, path)
    // Not awaited, because it may wait for the disk. If it fails, the file stays as it is until
    // then.
    truncate(path, () => {})
  }
  const items = new Map<number, SpooledItem[]>()
  const reader = new ByteReader(memory.bytes)
  while (reader.at < memory.length) {
    const wordId = reader.u32()
    const item = new SpooledItem(reader)
    items.getOrInsertComputed(wordId, () => []).push(item)
  }
  return items
}

function appendFile(memory: ByteWriter, path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    memory.reserve(size)
    for (let read = 0; read < size;) {
      const count = readSync(descriptor, memory.bytes, memory.length + read, size - read, read)
      if (count === 0) throw new Error(`cannot read "${path}": it ends after ${read} of ${size} bytes`)
      read += count
    }
    memory.length += size
  } finally {
    closeSync(descriptor)
  }
}

function spoolPath(folder: string, bucket: number, worker: number): string {
  return join(folder, `${bucket}.${worker}`)
}
