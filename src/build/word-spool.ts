import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  truncate,
} from 'node:fs'
import { join } from 'node:path'
import { ByteWriter } from '#kit/byte-writer.ts'
import { inMemory, ListItems, type ItemSource } from './list-items.ts'

/** How many buckets the words are divided into: of each worker one is in memory at a time. */
export const bucketCount = 512
/** Of how many bytes a bucket is written to its file, and room for the item that exceeds them. */
const flushBytes = 60 * 1024
const spareBytes = 4 * 1024
const defaultMostInMemory = 64 * 1024 * 1024
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
  /** By bucket, what is not written yet. */
  readonly #pending: ByteWriter[] = []

  constructor(folder: string, worker: number) {
    this.#folder = folder
    this.#worker = worker
  }

  /** Adds an item, which `write` appends. `rank` is that of the level of its clip. */
  put(wordId: number, rank: number, write: (out: ByteWriter) => void): void {
    const bucket = bucketOf(wordId)
    const out = (this.#pending[bucket] ??= new ByteWriter(flushBytes + spareBytes))
    out.u32(wordId)
    out.u32(rank)
    out.u32(0)
    const from = out.length
    write(out)
    out.bytes.writeUInt32LE(out.length - from, from - 4)
    if (out.length > flushBytes) this.#flush(bucket, out)
  }

  /** Writes what is in memory, and frees it. */
  end(): void {
    this.#pending.forEach((out, bucket) => this.#flush(bucket, out))
    this.#pending.length = 0
  }

  #flush(bucket: number, out: ByteWriter): void {
    if (out.length === 0) return
    mkdirSync(this.#folder, { recursive: true })
    appendFileSync(spoolPath(this.#folder, bucket, this.#worker), out.view())
    out.clear()
  }
}

/**
 * The items of a bucket by word, of all workers, whose spools have ended. Files of at most
 * `mostInMemory` bytes are read whole. Of a larger one, only the columns of its items are in
 * memory, and their JSON is read from it item by item, until the bucket is closed.
 */
export class Bucket {
  readonly #items = new Map<number, ListItems>()
  readonly #paths: string[] = []
  readonly #opened: number[] = []

  constructor(folder: string, bucket: number, workers: number, mostInMemory = defaultMostInMemory) {
    for (let worker = 0; worker < workers; worker++) {
      const path = spoolPath(folder, bucket, worker)
      const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
      if (sizeBytes === 0) continue
      this.#paths.push(path)
      if (sizeBytes > mostInMemory) this.#readInPieces(path, sizeBytes, mostInMemory / 16)
      else this.#readWhole(path)
    }
  }

  /** The items of a word. */
  items(wordId: number): ListItems {
    return this.#items.get(wordId) ?? new ListItems()
  }

  /**
   * Empties the files, so that what is not on the disk yet need not be written. They are not
   * deleted until the build ends: ext4 skips the inodes of recently deleted files one by one
   * whenever it creates a file.
   */
  close(): void {
    for (const file of this.#opened) closeSync(file)
    // Not awaited, because it may wait for the disk. If it fails, the file stays as it is until
    // then.
    for (const path of this.#paths) truncate(path, () => {})
  }

  #readWhole(path: string): void {
    const bytes = readFileSync(path)
    this.#take(bytes, inMemory(bytes), 0)
  }

  #readInPieces(path: string, sizeBytes: number, pieceBytes: number): void {
    const file = openSync(path, 'r')
    this.#opened.push(file)
    const piece = Buffer.allocUnsafeSlow(pieceBytes)
    for (let place = 0; place < sizeBytes;) {
      const length = readSync(file, piece, 0, pieceBytes, place)
      const taken = this.#take(piece.subarray(0, length), inFile(file), place)
      if (taken === 0) throw new RangeError(`"${path}" has no whole item at ${place}`)
      place += taken
    }
  }

  /** Adds the items that are whole. `bytes` begin at `place` of `source`. Returns their end. */
  #take(bytes: Buffer, source: ItemSource, place: number): number {
    let at = 0
    while (at + headBytes <= bytes.length) {
      const [wordId, rank] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
      const from = at + headBytes
      const to = from + bytes.readUInt32LE(at + 8)
      if (to > bytes.length) break
      const items = this.#items.getOrInsertComputed(wordId, newItems)
      items.add(source, place + from, bytes, from, to, rank)
      at = to
    }
    return at
  }
}

function newItems(): ListItems {
  return new ListItems()
}

/** Bytes of an open file, as a source of items. */
function inFile(file: number): ItemSource {
  return {
    copyTo: (out, from, to) => {
      out.reserve(to - from)
      out.length += readSync(file, out.bytes, out.length, to - from, from)
    },
  }
}

function spoolPath(folder: string, bucket: number, worker: number): string {
  return join(folder, `${bucket}.${worker}`)
}
