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

/** How many buckets the words are dealt into: one is in memory at a time, of every worker. */
export const bucketCount = 512
const flushBytes = 8 * 1024 * 1024

/** An item that came to a word's list, packed in the memory that its bucket was taken up in. */
export class SpooledItem implements Item {
  readonly hardness: number
  readonly tie: number
  readonly #bytes: Buffer
  readonly #from: number

  /** Takes up the item that `reader` is at. */
  constructor(reader: ByteReader<Buffer>) {
    this.#bytes = reader.bytes
    this.#from = reader.at
    const { hardness, tie } = skipWordClip(reader)
    this.hardness = hardness
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
 * Word→clip items on their way from clips to words: put down clip by clip by each worker of the
 * build, taken up word by word. They go through files, a bucket for every 512th word, so that
 * memory holds one bucket and not the corpus.
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

  /** Puts down an item, which `pack` appends (`WordClipPacker`). */
  put(wordId: number, pack: (out: ByteWriter) => void): void {
    const out = this.#pending[bucketOf(wordId)]!
    const from = out.length
    out.u32(wordId)
    pack(out)
    this.#pendingBytes += out.length - from
    if (this.#pendingBytes > flushBytes) this.#flush()
  }

  /** Puts down what is in memory, and gives the memory back. */
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
 * Takes up the items of a bucket by word, of all workers, which have come to their end. They are
 * views of `memory`, until another bucket is taken up in it.
 *
 * The files of the bucket are empty soon after: what of them is not on the disk yet never has to be
 * brought there. They go with their folder, when the night is over: the system passes over the
 * inodes of files that were deleted lately, one by one, whenever it makes a file (ext4).
 */
export function takeBucket(
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
    // It may wait for the disk, so nobody waits for it; should it fail, the file stays as it is
    // until then.
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
