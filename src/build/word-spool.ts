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

/**
 * How many buckets the words are divided into. Each worker has one in memory at a time, or only its
 * columns.
 */
export const bucketCount = 512
/**
 * A bucket is written to its file when it holds more than this many bytes. `spareBytes` is room for
 * the item that goes over.
 */
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
    const out = (this.#pending[bucket] ??= this.#begin())
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

  /** Memory for a bucket, and the folder for its file. */
  #begin(): ByteWriter {
    mkdirSync(this.#folder, { recursive: true })
    return new ByteWriter(flushBytes + spareBytes)
  }

  #flush(bucket: number, out: ByteWriter): void {
    if (out.length === 0) return
    appendFileSync(spoolPath(this.#folder, bucket, this.#worker), out.view())
    out.clear()
  }
}

/**
 * The items of a bucket by word, of all workers, whose spools have ended. Files of at most
 * `mostInMemory` bytes are read whole. Of a larger one, only the columns of its items are in
 * memory, and their JSON is read from it item by item, until the bucket is disposed of.
 */
export class Bucket {
  readonly #items = new Map<number, ListItems>()
  readonly #paths: string[] = []
  readonly #opened: number[] = []

  constructor(folder: string, bucket: number, workers: number, mostInMemory = defaultMostInMemory) {
    try {
      for (let worker = 0; worker < workers; worker++)
        this.#read(spoolPath(folder, bucket, worker), mostInMemory)
    } catch (error) {
      this[Symbol.dispose]()
      throw error
    }
  }

  /** Takes the items of a word out, so that they are freed with its list. */
  take(wordId: number): ListItems {
    const items = this.#items.get(wordId) ?? new ListItems()
    this.#items.delete(wordId)
    return items
  }

  /**
   * Empties the files, so that what is not on the disk yet need not be written. They are not
   * deleted until the build ends: ext4 skips the inodes of recently deleted files one by one
   * whenever it creates a file.
   */
  [Symbol.dispose](): void {
    for (const file of this.#opened) closeSync(file)
    // Not awaited, because it may wait for the disk. If it fails, the file stays as it is until
    // then.
    for (const path of this.#paths) truncate(path, () => {})
  }

  #read(path: string, mostInMemory: number): void {
    const sizeBytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (sizeBytes === 0) return
    this.#paths.push(path)
    if (sizeBytes > mostInMemory) return this.#readInPieces(path, sizeBytes, mostInMemory / 16)
    const bytes = readFileSync(path)
    const taken = this.#add(bytes, inMemory(bytes), 0)
    if (taken < bytes.length) throw cutFile(path, taken)
  }

  #readInPieces(path: string, sizeBytes: number, pieceBytes: number): void {
    const file = openSync(path, 'r')
    this.#opened.push(file)
    const source = inFile(file, path)
    const piece = Buffer.allocUnsafeSlow(pieceBytes)
    for (let place = 0; place < sizeBytes;) {
      const length = readSync(file, piece, 0, pieceBytes, place)
      const taken = this.#add(piece.subarray(0, length), source, place)
      if (taken === 0) throw cutFile(path, place)
      place += taken
    }
  }

  /**
   * Adds the whole items in `bytes`, which begin at `place` of `source`. Returns how many bytes
   * these items take.
   */
  #add(bytes: Buffer, source: ItemSource, place: number): number {
    let at = 0
    while (at + headBytes <= bytes.length) {
      const [wordId, rank] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)]
      const from = at + headBytes
      const to = from + bytes.readUInt32LE(at + 8)
      if (to > bytes.length) break
      const items = this.#items.getOrInsertComputed(wordId, () => new ListItems())
      items.add(source, place + from, bytes, from, to, rank)
      at = to
    }
    return at
  }
}

/** Bytes of an open file, as a source of items. */
function inFile(file: number, path: string): ItemSource {
  return {
    copyTo: (out, from, to) => {
      out.reserve(to - from)
      const count = readSync(file, out.bytes, out.length, to - from, from)
      if (count < to - from) throw cutFile(path, from)
      out.length += count
    },
  }
}

function cutFile(path: string, place: number): RangeError {
  return new RangeError(`"${path}" ends inside the item at ${place}`)
}

function spoolPath(folder: string, bucket: number, worker: number): string {
  return join(folder, `${bucket}.${worker}`)
}
