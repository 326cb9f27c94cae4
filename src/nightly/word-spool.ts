import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { ByteWriter } from '#kit/byte-writer.ts'

/** How many buckets the words are dealt into: one is in memory at a time, of every hand. */
export const bucketCount = 256
const flushBytes = 8 * 1024 * 1024

/** An item of a word's list on its way: `bytes[from … to)` is its JSON. */
export interface SpooledItem {
  slot: number
  hardness: number
  /** The first 48 bits of its clipId: they tell the order of items that are as hard, nearly always. */
  tie: number
  bytes: Buffer
  from: number
  to: number
}

/** What an item is sorted and told apart by. */
export type Place = Pick<SpooledItem, 'slot' | 'hardness' | 'tie'>

/** An item ahead of its JSON: wordId and slot (4 bytes each), hardness and tie (8 each), the length of the JSON (4). */
const headBytes = 28

/** The bucket of a word. */
export function bucketOf(wordId: number): number {
  return wordId % bucketCount
}

/**
 * Word→clip items on their way from clips to words: put down clip by clip by each hand of the build, taken up word by word. They go through
 * files, a bucket for every 256th word, so that memory holds one bucket and not the corpus.
 */
export class WordSpool {
  readonly #folder: string
  readonly #hand: number
  #pending = emptyBuckets()
  #pendingBytes = 0

  constructor(folder: string, hand: number) {
    this.#folder = folder
    this.#hand = hand
  }

  put(wordId: number, { slot, hardness, tie }: Place, json: string): void {
    const out = this.#pending[bucketOf(wordId)]!
    out.reserve(headBytes + json.length * 3)
    const at = out.length
    out.length += headBytes
    out.text(json)
    const { bytes } = out
    bytes.writeUInt32LE(wordId, at)
    bytes.writeUInt32LE(slot, at + 4)
    bytes.writeDoubleLE(hardness, at + 8)
    bytes.writeDoubleLE(tie, at + 16)
    bytes.writeUInt32LE(out.length - at - headBytes, at + 24)
    this.#pendingBytes += out.length - at
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
      appendFileSync(spoolPath(this.#folder, bucket, this.#hand), out.view())
      out.length = 0
    }
    this.#pendingBytes = 0
  }
}

function emptyBuckets(): ByteWriter[] {
  return Array.from({ length: bucketCount }, () => new ByteWriter(0))
}

/** The items of a bucket by word, of all hands, which have come to their end. They are views of `memory`, until that is read to again. */
export function readBucket(
  folder: string,
  bucket: number,
  hands: number,
  memory: ByteWriter,
): Map<number, SpooledItem[]> {
  const paths = Array.from({ length: hands }, (_, hand) => spoolPath(folder, bucket, hand)).filter(existsSync)
  memory.length = 0
  memory.reserve(paths.reduce((sum, path) => sum + statSync(path).size, 0))
  for (const path of paths) appendFile(memory, path)
  const bytes = memory.view()
  const items = new Map<number, SpooledItem[]>()
  for (let at = 0; at < bytes.length;) {
    const wordId = bytes.readUInt32LE(at)
    const from = at + headBytes
    const to = from + bytes.readUInt32LE(at + 24)
    const item = {
      slot: bytes.readUInt32LE(at + 4),
      hardness: bytes.readDoubleLE(at + 8),
      tie: bytes.readDoubleLE(at + 16),
      bytes,
      from,
      to,
    }
    const others = items.get(wordId)
    if (others) others.push(item)
    else items.set(wordId, [item])
    at = to
  }
  return items
}

function appendFile(memory: ByteWriter, path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    memory.reserve(size)
    for (let read = 0; read < size;)
      read += readSync(descriptor, memory.bytes, memory.length + read, size - read, read)
    memory.length += size
  } finally {
    closeSync(descriptor)
  }
}

function spoolPath(folder: string, bucket: number, hand: number): string {
  return join(folder, `${bucket}.${hand}`)
}
