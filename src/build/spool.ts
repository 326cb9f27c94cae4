import { appendFileSync, existsSync, mkdirSync, readFileSync, truncate } from 'node:fs'
import { join } from 'node:path'

/** The lines of a bucket go to its file when they would take more than this many bytes. */
const flushBytes = 64 * 1024
/** The most bytes that a UTF-16 unit becomes in UTF-8. */
const bytesAUnit = 3

/**
 * Lines on their way from clips to the lists of words and the segments of the sentence index: added
 * clip by clip by each worker of the build, in any order, and read bucket by bucket. They go
 * through files, one per bucket and worker, so that memory holds one bucket and not the corpus.
 */
export class Spool {
  readonly #folder: string
  readonly #worker: number
  /** By bucket, the lines that are not in a file yet: as bytes, because texts burden the heap. */
  readonly #pending = new Map<string, { bytes: Buffer; length: number }>()

  constructor(folder: string, worker: number) {
    this.#folder = folder
    this.#worker = worker
  }

  /** Adds a line: a whole number, a blank, and a text without a line feed. */
  add(bucket: string, line: string): void {
    const newBytes = () => ({ bytes: Buffer.allocUnsafeSlow(flushBytes), length: 0 })
    const pending = this.#pending.getOrInsertComputed(bucket, newBytes)
    const mostBytes = line.length * bytesAUnit + 1
    if (pending.length + mostBytes > flushBytes) this.#flush(bucket, pending)
    if (mostBytes > flushBytes) return this.#append(bucket, `${line}\n`)
    pending.length += pending.bytes.write(line, pending.length)
    pending.bytes[pending.length++] = lineFeed
  }

  /** Writes what is in memory, and frees it. */
  end(): void {
    for (const [bucket, pending] of this.#pending) this.#flush(bucket, pending)
    this.#pending.clear()
  }

  #flush(bucket: string, pending: { bytes: Buffer; length: number }): void {
    this.#append(bucket, pending.bytes.subarray(0, pending.length))
    pending.length = 0
  }

  #append(bucket: string, lines: string | Uint8Array): void {
    mkdirSync(this.#folder, { recursive: true })
    appendFileSync(pathOf(this.#folder, bucket, this.#worker), lines)
  }
}

/** A line of a bucket: its number, and its text, which is `bytes[from … to)`. */
export interface SpooledLine {
  number: number
  bytes: Buffer
  from: number
  to: number
}

/** Takes the lines of a bucket, of all workers, whose spools have ended. The files are emptied. */
export function* takeLines(folder: string, bucket: string, workers: number): Generator<SpooledLine> {
  for (let worker = 0; worker < workers; worker++) {
    const path = pathOf(folder, bucket, worker)
    if (!existsSync(path)) continue
    const bytes = readFileSync(path)
    for (let at = 0; at < bytes.length;) {
      const [from, to] = [bytes.indexOf(blank, at) + 1, bytes.indexOf(lineFeed, at)]
      if (to < from) throw new RangeError(`"${path}" is cut short`)
      yield { number: numberAt(bytes, at), bytes, from, to }
      at = to + 1
    }
    // So that what is not on the disk yet need not be written. It is not deleted until the build
    // ends: ext4 skips the inodes of recently deleted files one by one whenever it creates a file.
    // Not awaited, because it may wait for the disk; if it fails, the file stays until then.
    truncate(path, () => {})
  }
}

const [lineFeed, blank, zero] = [10, 32, 48]

/** The number whose digits begin at a place. No text is made of it: there are millions of lines. */
export function numberAt(bytes: Buffer, at: number): number {
  let value = 0
  for (let digit = bytes[at]! - zero; digit >= 0 && digit <= 9; digit = bytes[++at]! - zero)
    value = value * 10 + digit
  return value
}

function pathOf(folder: string, bucket: string, worker: number): string {
  return join(folder, `${bucket}.${worker}`)
}
