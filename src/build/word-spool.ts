import { appendFileSync, existsSync, mkdirSync, readFileSync, truncate } from 'node:fs'
import { join } from 'node:path'
import { ByteWriter } from '#kit/byte-writer.ts'
import { ListItem } from './list-item.ts'

/** How many buckets the words are divided into: of each worker one is in memory at a time. */
export const bucketCount = 512
const flushBytes = 8 * 1024 * 1024
/** What stands before the JSON of an item: the word, the rank, and the length of the JSON. */
const headBytes = 12

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

  /** Adds an item, which `write` appends. `rank` is that of the level of its clip. */
  put(wordId: number, rank: number, write: (out: ByteWriter) => void): void {
    const out = this.#pending[bucketOf(wordId)]!
    const before = out.length
    out.u32(wordId)
    out.u32(rank)
    out.u32(0)
    const from = out.length
    write(out)
    out.bytes.writeUInt32LE(out.length - from, from - 4)
    this.#pendingBytes += out.length - before
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
 * Reads the items of a bucket by word, of all workers, whose spools have ended.
 *
 * The files are truncated afterwards, so that what is not on the disk yet need not be written. They
 * are not deleted until the build ends: ext4 skips the inodes of recently deleted files one by one
 * whenever it creates a file.
 */
export function readBucket(folder: string, bucket: number, workers: number): Map<number, ListItem[]> {
  const items = new Map<number, ListItem[]>()
  for (let worker = 0; worker < workers; worker++) {
    const path = spoolPath(folder, bucket, worker)
    if (!existsSync(path)) continue
    const bytes = readFileSync(path)
    // Not awaited, because it may wait for the disk. If it fails, the file stays as it is until
    // then.
    truncate(path, () => {})
    for (let at = 0; at < bytes.length;) {
      const [wordId, rank] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
      const from = at + headBytes
      at = from + bytes.readUInt32LE(at + 8)
      items.getOrInsertComputed(wordId, () => []).push(new ListItem(bytes, from, at, rank))
    }
  }
  return items
}

function spoolPath(folder: string, bucket: number, worker: number): string {
  return join(folder, `${bucket}.${worker}`)
}
