import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { numberHash } from '#kit/text-hash.ts'
import { packVarints } from '#kit/varint.ts'
import { formatVersion } from '../manifest.ts'
import { FileWindow } from './file-window.ts'
import { headBytes, magic, toZigzag } from './layout.ts'

/**
 * Finds the parts that two files share by chunks whose ends depend on the bytes before them
 * ("content-defined chunking"), so that a chunk is found wherever it has moved. A shared chunk is
 * extended in both directions, byte by byte.
 */

/** The maximum number of chunks of the base to store: 12 bytes each. */
const chunksMax = 2 ** 20
/** The minimum average size of a chunk, as a power of 2. Larger files have larger chunks. */
const leastChunkBits = 6
/** The minimum size of a chunk that is searched for. */
const shortestChunk = 24
/** The longest run of new bytes in memory. */
const literalMax = 2 ** 20
const comparedBytes = 16 * 1024

/** A random number for each byte, for a hash of the last 32 bytes ("gear hash"). */
const gear = Uint32Array.from({ length: 256 }, (_, byte) => numberHash(byte + 1))

/**
 * Writes the delta from one file to another. Its bytes depend only on theirs and on the version of
 * zstd. Memory does not grow with the files.
 *
 * @throws the error of the file system
 */
export async function writeDelta(basePath: string, path: string, deltaPath: string): Promise<void> {
  using base = new FileWindow(basePath)
  using file = new FileWindow(path)
  const steps = Readable.from(deltaSteps(base, file), { objectMode: false })
  await pipeline(steps, createZstdCompress(), createWriteStream(deltaPath))
}

function* deltaSteps(base: FileWindow, file: FileWindow): Generator<Buffer> {
  const head = Buffer.alloc(headBytes, magic, 'latin1')
  head.writeUInt32LE(formatVersion, magic.length)
  yield head
  const chunkBits = Math.max(leastChunkBits, Math.ceil(Math.log2(base.sizeBytes / chunksMax)))
  const index = new ChunkIndex(base, chunkBits)
  let copyEnd = 0
  const step = (literal: Buffer, copyLength: number, copyFrom: number): Buffer => {
    const copy = packVarints([copyLength, toZigzag(copyFrom - copyEnd)])
    copyEnd = copyFrom + copyLength
    return Buffer.concat([packVarints([literal.length]), literal, copy])
  }
  let at = 0
  // Most tables start like the previous one.
  let match: Match | null = { from: 0, to: matchLength(base, 0, file, 0), baseFrom: 0 }
  while (match || at < file.sizeBytes) {
    const end: number = match ? match.from : Math.min(file.sizeBytes, at + literalMax)
    const literal = readRange(file, at, end)
    if (match) yield step(literal, match.to - match.from, match.baseFrom)
    else yield step(literal, 0, copyEnd)
    at = match ? match.to : end
    match = at < file.sizeBytes ? index.findMatch(file, at, Math.min(file.sizeBytes, at + literalMax)) : null
  }
}

function readRange(file: FileWindow, from: number, to: number): Buffer {
  const range = Buffer.allocUnsafe(to - from)
  for (let at = from; at < to;) at += file.bytesFrom(at, to - at).copy(range, at - from)
  return range
}

/** A range of a file that the base also has, from `baseFrom` on. */
interface Match {
  from: number
  to: number
  baseFrom: number
}

/** The chunks of the base by their hashes: an open hash table. */
class ChunkIndex {
  readonly #base: FileWindow
  readonly #chunkBits: number
  readonly #hashes = new Uint32Array(2 * chunksMax)
  /** The position of each chunk, plus 1; 0 for a free slot. */
  readonly #positions = new Float64Array(2 * chunksMax)

  constructor(base: FileWindow, chunkBits: number) {
    this.#base = base
    this.#chunkBits = chunkBits
    let count = 0
    for (const { from, hash } of chunksOf(base, 0, base.sizeBytes, chunkBits)) {
      const slot = this.#slotOf(hash)
      if (this.#positions[slot] !== 0) continue
      this.#hashes[slot] = hash
      this.#positions[slot] = from + 1
      if (++count > 1.5 * chunksMax) break
    }
  }

  /** Returns the slot with this hash, or the free one where it would be. */
  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1
    let slot = hash & mask
    while (this.#positions[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  /** Finds a shared range of a file that starts between two positions; null if there is none. */
  findMatch(file: FileWindow, start: number, end: number): Match | null {
    for (const { from, hash } of chunksOf(file, start, end, this.#chunkBits)) {
      const baseFrom = this.#positions[this.#slotOf(hash)]! - 1
      if (baseFrom < 0) continue
      const length = matchLength(this.#base, baseFrom, file, from)
      if (length < shortestChunk) continue
      const before = matchLengthBefore(this.#base, baseFrom, file, from, from - start)
      return { from: from - before, to: from + length, baseFrom: baseFrom - before }
    }
    return null
  }
}

/** Yields the chunks of a range of a file, apart from the first and the last, which are cut. */
function* chunksOf(file: FileWindow, start: number, end: number, chunkBits: number) {
  const shift = 32 - chunkBits
  let [rolling, hash, from] = [0, 0, -1]
  for (let at = start; at < end;) {
    // A copy, because the reader of the chunks may move the window.
    const bytes = Buffer.from(file.bytesFrom(at, end - at))
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!
      rolling = ((rolling << 1) + gear[byte]!) | 0
      hash = Math.imul(hash ^ byte, 0x01000193)
      if (rolling >>> shift !== 0) continue
      const to = at + i + 1
      if (from >= 0 && to - from >= shortestChunk) yield { from, hash: numberHash(hash) }
      from = to
      hash = 0
    }
    at += bytes.length
  }
}

/** Returns the number of bytes that two files have in common after two positions. */
function matchLength(base: FileWindow, baseFrom: number, file: FileWindow, from: number): number {
  for (let length = 0; ;) {
    const a = base.bytesFrom(baseFrom + length, comparedBytes)
    const b = file.bytesFrom(from + length, comparedBytes)
    const comparable = Math.min(a.length, b.length)
    if (comparable === 0) return length
    if (a.compare(b, 0, comparable, 0, comparable) === 0) length += comparable
    else {
      let i = 0
      while (a[i] === b[i]) i++
      return length + i
    }
  }
}

/** Returns the number of bytes, up to `max`, that two files have in common before two positions. */
function matchLengthBefore(
  base: FileWindow,
  baseFrom: number,
  file: FileWindow,
  from: number,
  max: number,
): number {
  const most = Math.min(baseFrom, max, comparedBytes)
  const a = readRange(base, baseFrom - most, baseFrom)
  const b = readRange(file, from - most, from)
  let length = 0
  while (length < most && a[most - 1 - length] === b[most - 1 - length]) length++
  return length
}
