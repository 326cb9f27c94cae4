import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import { privateFileMode } from '#kit/make-folder.ts'
import { formatVersion } from '../manifest.ts'
import { fromZigzag, headBytes, magic } from './layout.ts'

/** The number of bytes to copy or write at a time. */
const pieceBytes = 256 * 1024

/**
 * Writes a file from another one, the base, and the bytes of a delta. Returns its SHA-256 (hex),
 * which alone shows whether base and delta were the right ones. Memory does not grow with the
 * files.
 *
 * @throws {RangeError} the delta does not match the base, or the file is larger than `maxBytes`
 * @throws the error of the file system, or of a delta that is damaged
 */
export async function applyDelta(
  basePath: string,
  delta: Uint8Array,
  path: string,
  maxBytes: number,
): Promise<string> {
  await using base = await open(basePath)
  await using file = await open(path, 'w', privateFileMode)
  const { size: baseBytes } = await base.stat()
  const input = new DeltaInput(Readable.from([delta]).pipe(createZstdDecompress()))
  const output = new DigestedOutput(file, maxBytes)
  const head = Buffer.alloc(headBytes)
  let at = 0
  for await (const piece of input.take(headBytes)) at += piece.copy(head, at)
  if (head.toString('latin1', 0, magic.length) !== magic || head.readUInt32LE(magic.length) > formatVersion)
    throw new RangeError('it is not a delta, or has a version that this program does not read')
  let copyEnd = 0
  while (await input.hasMore()) {
    for await (const literal of input.take(await input.varint())) await output.write(literal)
    const length = await input.varint()
    const from = copyEnd + fromZigzag(await input.varint())
    copyEnd = from + length
    if (from < 0 || copyEnd > baseBytes) throw new RangeError('it copies bytes that the base does not have')
    const buffer = Buffer.allocUnsafe(Math.min(length, pieceBytes))
    for (let position = from; position < copyEnd;) {
      const { bytesRead } = await base.read(buffer, 0, Math.min(copyEnd - position, pieceBytes), position)
      if (bytesRead === 0) throw new RangeError('the base ends early')
      await output.write(buffer.subarray(0, bytesRead))
      position += bytesRead
    }
  }
  return await output.finish()
}

/** Reads numbers and bytes from the pieces of a stream. */
class DeltaInput {
  readonly #pieces: AsyncIterator<Buffer>
  #piece: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Whether another byte follows. Reads the next piece if needed. */
  async hasMore(): Promise<boolean> {
    while (this.#at === this.#piece.length) {
      const { value, done } = (await this.#pieces.next()) as IteratorResult<Buffer, undefined>
      if (done) return false
      this.#piece = value
      this.#at = 0
    }
    return true
  }

  /** @throws {RangeError} the stream ends within it */
  async varint(): Promise<number> {
    for (let value = 0, unit = 1; ; unit *= 128) {
      if (!(await this.hasMore())) throw new RangeError('it is cut short')
      const byte = this.#piece[this.#at++]!
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }

  /** Yields the next bytes, in pieces. @throws {RangeError} the stream has fewer */
  async *take(length: number): AsyncGenerator<Buffer> {
    for (let rest = length; rest > 0;) {
      if (!(await this.hasMore())) throw new RangeError('it is cut short')
      const piece = this.#piece.subarray(this.#at, this.#at + rest)
      this.#at += piece.length
      rest -= piece.length
      yield piece
    }
  }
}

/** Writes bytes to a file and digests them, in large pieces. */
class DigestedOutput {
  readonly #file: FileHandle
  readonly #maxBytes: number
  readonly #hash = createHash('sha256')
  readonly #buffer = Buffer.allocUnsafeSlow(2 * pieceBytes)
  #bufferedBytes = 0
  #sizeBytes = 0

  constructor(file: FileHandle, maxBytes: number) {
    this.#file = file
    this.#maxBytes = maxBytes
  }

  /** Adds at most `pieceBytes`. */
  async write(bytes: Buffer): Promise<void> {
    this.#sizeBytes += bytes.length
    if (this.#sizeBytes > this.#maxBytes)
      throw new RangeError(`the table would have more than ${this.#maxBytes} bytes`)
    if (this.#bufferedBytes + bytes.length > this.#buffer.length) await this.#flush()
    bytes.copy(this.#buffer, this.#bufferedBytes)
    this.#bufferedBytes += bytes.length
  }

  async #flush(): Promise<void> {
    const bytes = this.#buffer.subarray(0, this.#bufferedBytes)
    this.#hash.update(bytes)
    await this.#file.writeFile(bytes)
    this.#bufferedBytes = 0
  }

  async finish(): Promise<string> {
    await this.#flush()
    return this.#hash.digest('hex')
  }
}
