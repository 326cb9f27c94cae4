/**
 * A column of texts in two sections of a table: `<name>At` contains the start of each and the end
 * of the last, `<name>` the texts end to end in UTF-8. They may also be bytes.
 *
 * Positions are stored modulo 2³². They ascend, and a text is smaller than 4 GiB, so each position
 * that is less than the previous one starts another 4 GiB.
 */
import { appendFileSync, closeSync, openSync, readSync } from 'node:fs'
import { MemoryBytes, type ByteSource } from './byte-source.ts'

const firstChunkBytes = 1024
/** Larger chunks would not save time, and the last one may be nearly empty. */
const largestChunkBytes = 4 * 1024 * 1024

/**
 * Collects texts in chunks, so that no text is copied again as the column grows. With the path of a
 * new file, full chunks are stored there and not in memory.
 */
export class TextColumnWriter {
  readonly #at: number[] = []
  readonly #fullChunks: Pick<Buffer[], 'push' | typeof Symbol.iterator>
  #chunk = Buffer.allocUnsafeSlow(firstChunkBytes)
  #chunkStart = 0
  sizeBytes = 0

  constructor(texts: Iterable<string | Uint8Array> = [], path?: string) {
    this.#fullChunks = path === undefined ? [] : new ChunkFile(path)
    for (const text of texts) this.add(text)
  }

  add(text: string | Uint8Array): void {
    this.#at.push(this.sizeBytes)
    // In UTF-8, a UTF-16 unit takes at most three bytes.
    const neededBytes = typeof text === 'string' ? 3 * text.length : text.length
    if (this.sizeBytes - this.#chunkStart + neededBytes > this.#chunk.length) this.#addChunk(neededBytes)
    const at = this.sizeBytes - this.#chunkStart
    if (typeof text === 'string') this.sizeBytes += this.#chunk.write(text, at)
    else {
      this.#chunk.set(text, at)
      this.sizeBytes += text.length
    }
  }

  #addChunk(neededBytes: number): void {
    this.#fullChunks.push(this.#filledPart())
    this.#chunkStart = this.sizeBytes
    const chunkBytes = Math.min(2 * this.#chunk.length, largestChunkBytes)
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, neededBytes))
  }

  #filledPart(): Buffer {
    return this.#chunk.subarray(0, this.sizeBytes - this.#chunkStart)
  }

  /** Returns the positions of the texts and of the end, modulo 2³². */
  positions(): Uint32Array {
    const at = new Uint32Array(this.#at.length + 1)
    at.set(this.#at)
    at[this.#at.length] = this.sizeBytes
    return at
  }

  /** Yields the texts end to end, in chunks. */
  *chunks(): Generator<Buffer> {
    yield* this.#fullChunks
    yield this.#filledPart()
  }

  /** Yields the texts as bytes, in order. */
  *[Symbol.iterator](): Generator<Buffer> {
    const endOf = (row: number) => this.#at[row + 1] ?? this.sizeBytes
    let row = 0
    let chunkStart = 0
    for (const chunk of this.chunks()) {
      const chunkEnd = chunkStart + chunk.length
      for (; row < this.#at.length && endOf(row) <= chunkEnd; row++)
        yield chunk.subarray(this.#at[row]! - chunkStart, endOf(row) - chunkStart)
      chunkStart = chunkEnd
    }
  }
}

/** Chunks of bytes in a file, in the order in which they were added. */
class ChunkFile {
  readonly #path: string
  readonly #sizes: number[] = []

  constructor(path: string) {
    this.#path = path
  }

  push(chunk: Buffer): number {
    appendFileSync(this.#path, chunk)
    return this.#sizes.push(chunk.length)
  }

  *[Symbol.iterator](): Generator<Buffer> {
    if (this.#sizes.length === 0) return
    using stack = new DisposableStack()
    const descriptor = stack.adopt(openSync(this.#path, 'r'), closeSync)
    for (const size of this.#sizes) {
      const chunk = Buffer.allocUnsafeSlow(size)
      if (readSync(descriptor, chunk, 0, size, null) < size)
        throw new Error(`cannot read "${this.#path}": it ends before its last chunk`)
      yield chunk
    }
  }
}

/** The texts of a column of an open table, by row. */
export class TextColumn {
  /** The start position of each text, and the end of the last one, modulo 2³². */
  readonly #at: Uint32Array
  readonly #source: ByteSource
  /** The indexes in `#at` of positions that start another 4 GiB. */
  readonly #wraps: readonly number[]

  constructor(at: Uint32Array, source: ByteSource) {
    this.#at = at
    this.#source = source
    const wraps = at.keys().filter((i) => at[i]! < at[i - 1]!)
    this.#wraps = source.sizeBytes < 2 ** 32 ? [] : [...wraps]
  }

  get isOnDisk(): boolean {
    return !(this.#source instanceof MemoryBytes)
  }

  get count(): number {
    return this.#at.length - 1
  }

  /** Returns the start position of the text in a row; for `count`, the end of the last one. */
  position(row: number): number {
    let position = this.#at[row]!
    for (const wrap of this.#wraps) if (wrap <= row) position += 2 ** 32
    return position
  }

  sizeOf(row: number): number {
    return (this.#at[row + 1]! - this.#at[row]!) >>> 0
  }

  isEmpty(row: number): boolean {
    return this.#at[row] === this.#at[row + 1]
  }

  text(row: number): string {
    return this.#toString('utf8', this.position(row), this.position(row + 1))
  }

  /** Returns a text as a byte text, or those of neighbouring rows, end to end. */
  byteText(row: number, end = row + 1): string {
    return this.#toString('latin1', this.position(row), this.position(end))
  }

  /** Returns `length` characters of a text, which must be ASCII, from its byte `from` on. */
  ascii(row: number, from: number, length: number): string {
    const at = this.position(row) + from
    return this.#toString('latin1', at, at + length)
  }

  #toString(encoding: 'utf8' | 'latin1', from: number, to: number): string {
    const at = this.#source.load(from, to)
    return this.#source.buffer.toString(encoding, at, at + to - from)
  }

  /** Loads a text into `buffer`, until another one is read. Returns its start there. */
  load(row: number): number {
    return this.#source.load(this.position(row), this.position(row + 1))
  }

  get buffer(): Buffer {
    return this.#source.buffer
  }

  /** Compares the first `longest` bytes of a text with other bytes, like `Buffer.compare`. */
  compare(row: number, bytes: Uint8Array, longest = Infinity): number {
    const from = this.position(row)
    const to = Math.min(this.position(row + 1), from + longest)
    const at = this.#source.load(from, to)
    return this.#source.buffer.compare(bytes, 0, bytes.length, at, at + to - from)
  }
}
