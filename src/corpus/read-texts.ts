import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { guessVideo } from './source-clip.ts'

/**
 * The text of one record. If the bytes are not text, it is null, and there is a reason and, if it
 * can be found, the id of the video that the record most likely describes.
 */
type Decoded = { text: string } | { text: null; reason: string; videoId?: string }

/** The bytes `from … to` of a file. */
interface Place {
  from: number
  to: number
}

/** The text of one record, and the range of bytes that contains it in its file. */
export type FileText = Decoded & Place & { line?: number }

/** The reason why a pipe or a device is not read. */
export const notRegular = 'this is not a regular file'

/** A longer record is no clip and no word, and would use up the memory of the build. */
const maxRecordBytes = 64 * 1024 * 1024
/** The number of bytes to read at a time when searching for line ends or a video. */
const windowBytes = 1 << 20
/** Longer than a field that names a video: the next window contains the whole of a cut one. */
const overlapBytes = 256

const lineFeed = 10

/**
 * Reads the texts of a file in bounded memory: the whole of a `.json` file, or the lines of any
 * other file. Blank lines are left out, but counted. The file is UTF-8 with or without a BOM, lines
 * end with LF or CRLF, and the first line is 1. A text that is not UTF-8 or too long is reported,
 * and reading continues. Only a regular file is read, because reading a pipe or a device may never
 * end.
 *
 * @throws the error of the file system, if the file cannot be read
 */
export function* readTexts(folder: string, file: string): Generator<FileText> {
  const path = join(folder, file)
  const stats = statSync(path)
  if (!stats.isFile()) return yield { text: null, reason: notRegular, from: 0, to: 0 }
  const hasLines = !/\.json$/i.test(file)
  using stack = new DisposableStack()
  const descriptor = stack.adopt(openSync(path, 'r'), closeSync)
  let line = 0
  for (const place of hasLines ? linesIn(descriptor) : [{ from: 0, to: stats.size }]) {
    line++
    const result = decode(descriptor, place)
    if (result.text?.trim() !== '') yield { ...(hasLines && { line }), ...place, ...result }
  }
}

/** Finds the lines of a file, without their line feeds. */
function* linesIn(descriptor: number): Generator<Place> {
  const window = Buffer.allocUnsafe(windowBytes)
  let [from, at] = [0, 0]
  for (let count; (count = readSync(descriptor, window, 0, windowBytes, at)) > 0; at += count) {
    const piece = window.subarray(0, count)
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, end + 1)) {
      yield { from, to: at + end }
      from = at + end + 1
    }
  }
  yield { from, to: at }
}

/** Removes a BOM. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(descriptor: number, { from, to }: Place): Decoded {
  if (to - from > maxRecordBytes)
    return {
      text: null,
      reason: `the record is longer than ${maxRecordBytes} bytes`,
      ...videoIn(descriptor, from, to),
    }
  const bytes = bytesAt(descriptor, from, to)
  try {
    return { text: utf8.decode(bytes).replace(/\r$/, '') }
  } catch {
    return { text: null, reason: 'the record is not valid UTF-8', ...guessVideo(bytes.toString('latin1')) }
  }
}

function videoIn(descriptor: number, from: number, to: number): ReturnType<typeof guessVideo> {
  for (let at = from; at < to; at += windowBytes - overlapBytes) {
    const guess = guessVideo(bytesAt(descriptor, at, Math.min(to, at + windowBytes)).toString('latin1'))
    if (guess.videoId) return guess
  }
  return {}
}

function bytesAt(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from))
}
