import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { guessVideo } from './source-clip.ts'

/**
 * The text of one record. It is null if the bytes are no text, with the reason and the video that
 * they most likely describe.
 */
type Decoded = { text: string } | { text: null; reason: string; videoId?: string }

/** The text of one record, and the bytes `from … to` of its file that hold it. */
export type FileText = Decoded & { line?: number; from: number; to: number }

/** Why a pipe or a device is not read. */
export const notRegular = 'is not a regular file'

/**
 * A longer record is neither a clip nor a word; reading it would use up the memory of the build.
 */
const maxRecordBytes = 64 * 1024 * 1024
const mostWindowBytes = 1 << 20
/**
 * Longer than a field that names a video, so that a field cut in two is whole in the next piece.
 */
const overlapBytes = 256

const lineFeed = 10
const carriageReturn = 13

/**
 * Reads the texts of a file in bounded memory: of a `.json` one, of any other file the lines. Blank
 * ones are left out. They are UTF-8 with or without BOM, lines end with LF or CRLF, and are counted
 * from 1, including blank ones. A text that is not UTF-8 or too long is reported, and reading
 * continues. To read a pipe or a device may never end: only a regular file is read.
 *
 * @throws the error of the file system, if the file cannot be read
 */
export function* readTexts(folder: string, file: string): Generator<FileText> {
  const path = join(folder, file)
  const stats = statSync(path)
  if (!stats.isFile()) return yield { text: null, reason: notRegular, from: 0, to: 0 }
  const hasLines = !file.endsWith('.json')
  const descriptor = openSync(path, 'r')
  try {
    let line = 0
    // Most clips are a file of 8 KB. A megabyte for each would be freed too rarely.
    const windowBytes = Math.min(Math.max(stats.size, 1), mostWindowBytes)
    for (const { from, to, ...found } of recordsIn(descriptor, hasLines, windowBytes)) {
      line++
      if (found.text?.trim() !== '') yield { ...(hasLines && { line }), from, to, ...found }
    }
  } finally {
    closeSync(descriptor)
  }
}

function* recordsIn(descriptor: number, hasLines: boolean, windowBytes: number): Generator<FileText> {
  const window = Buffer.allocUnsafe(windowBytes)
  let record = new RecordBytes(0)
  for (let at = 0, count = -1; count !== 0; at += count) {
    count = readSync(descriptor, window, 0, windowBytes, at)
    const piece = window.subarray(0, count)
    let start = 0
    for (let end = 0; (end = hasLines ? piece.indexOf(lineFeed, start) : -1) >= 0; start = end + 1) {
      yield record.end(piece.subarray(start, end))
      record = new RecordBytes(at + end + 1)
    }
    if (count === 0) yield record.end(piece)
    else record.add(piece.subarray(start))
  }
}

/** The bytes of a record, read piece by piece. Of one that is too long, only the end is kept. */
class RecordBytes {
  readonly #from: number
  #length = 0
  #kept = Buffer.alloc(0)
  #video: ReturnType<typeof guessVideo> = {}

  constructor(from: number) {
    this.#from = from
  }

  add(piece: Buffer): void {
    this.#length += piece.length
    this.#kept = Buffer.concat([this.#kept, piece])
    if (this.#length <= maxRecordBytes) return
    if (!this.#video.videoId) this.#video = guessVideo(this.#kept.toString('latin1'))
    this.#kept = Buffer.from(this.#kept.subarray(-overlapBytes))
  }

  end(piece: Buffer): FileText {
    this.add(piece)
    const length = this.#length - (this.#kept.at(-1) === carriageReturn ? 1 : 0)
    const place = { from: this.#from, to: this.#from + length }
    if (length <= maxRecordBytes) return { ...decode(this.#kept.subarray(0, length)), ...place }
    return { text: null, reason: `is longer than ${maxRecordBytes} bytes`, ...this.#video, ...place }
  }
}

/** Removes a BOM. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer): Decoded {
  try {
    return { text: utf8.decode(bytes) }
  } catch {
    return { text: null, reason: 'is not UTF-8', ...guessVideo(bytes.toString('latin1')) }
  }
}

/**
 * Reads again a text that `readTexts` gave, by its place. Empty if the file no longer holds text
 * there.
 */
export function readTextAt(folder: string, file: string, { from, to }: { from: number; to: number }): string {
  const bytes = Buffer.allocUnsafeSlow(to - from)
  const descriptor = openSync(join(folder, file), 'r')
  try {
    return decode(bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from))).text ?? ''
  } finally {
    closeSync(descriptor)
  }
}
