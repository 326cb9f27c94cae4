import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { ClipFile } from './clip-files.ts'
import { guessVideoId } from './parse-clip.ts'

/**
 * A part of a file of source clips that is read at once: a whole `.json`, or whole lines of a
 * `.jsonl`.
 */
export interface ClipBlock {
  file: string
  /** Bytes `from … to`. */
  from: number
  to: number
}

/**
 * The text of one source clip. It is null if the bytes are not text, with the reason and, as
 * latin1, the bytes or the part of them that names the video.
 */
export type Decoded = { text: string } | { text: null; reason: string; raw?: string }

/** The text of one source clip, and the bytes `from … to` of the file that hold it. */
export type ClipText = Decoded & { line?: number; from: number; to: number }

/**
 * A longer record is neither a clip nor a word; reading it would use up the memory of the build.
 */
const maxRecordBytes = 64 * 1024 * 1024

const blockBytes = 1 << 20
const lineFeed = 10
const carriageReturn = 13

/** Cuts a file into blocks at the ends of lines. */
export function* blocksOf(
  corpusFolder: string,
  { file, sizeBytes }: Pick<ClipFile, 'file' | 'sizeBytes'>,
): Generator<ClipBlock> {
  if (!isLines(file) || sizeBytes <= blockBytes) {
    yield { file, from: 0, to: sizeBytes }
    return
  }
  const descriptor = openSync(join(corpusFolder, file), 'r')
  try {
    const window = Buffer.allocUnsafe(64 * 1024)
    for (let from = 0; from < sizeBytes;) {
      const to = endOfLine(descriptor, Math.min(sizeBytes, from + blockBytes), sizeBytes, window)
      yield { file, from, to }
      from = to
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The place behind the first line feed from `at` on, or the end of the file. */
function endOfLine(descriptor: number, at: number, end: number, window: Buffer): number {
  for (let from = at; from < end;) {
    const count = readSync(descriptor, window, 0, window.length, from)
    if (count === 0) break
    const found = window.subarray(0, count).indexOf(lineFeed)
    if (found >= 0) return from + found + 1
    from += count
  }
  return end
}

/** Whether each line of a file is a record, and not the whole file. */
export function isLines(file: string): boolean {
  return !file.endsWith('.json')
}

/**
 * Reads a block: its clips in order, with lines counted from 1 within the block, and how many lines
 * it has. Blank lines are left out.
 *
 * @throws the error of the file system, if it cannot be read
 */
export function readBlock(corpusFolder: string, block: ClipBlock): { texts: ClipText[]; lineCount: number } {
  const path = join(corpusFolder, block.file)
  if (!isLines(block.file))
    return { texts: [{ from: 0, to: block.to, ...readWhole(path, block.to) }], lineCount: 0 }
  // Blocks are cut so that only the last line can make one this large.
  const endsTooLong = block.to - block.from > blockBytes + maxRecordBytes + 1
  if (!endsTooLong) return readLines(readRange(path, block.from, block.to), block.from)
  const start = readRange(path, block.from, block.from + blockBytes)
  const whole = start.lastIndexOf(lineFeed) + 1
  const { texts, lineCount } = readLines(start.subarray(0, whole), block.from)
  const last = { line: lineCount + 1, from: block.from + whole, to: block.to }
  return {
    texts: [...texts, { ...last, ...tooLong, ...namedVideo(path, last.from, last.to) }],
    lineCount: last.line,
  }
}

/** Reads lines as `readBlock` does, from bytes that begin at a place of their file. */
function readLines(bytes: Buffer, place: number): { texts: ClipText[]; lineCount: number } {
  const texts: ClipText[] = []
  let line = 0
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(lineFeed, from)
    const to = end < 0 ? bytes.length : end
    line++
    const textEnd = bytes[to - 1] === carriageReturn ? to - 1 : to
    const found = toText(bytes.subarray(from, textEnd))
    if (found.text?.trim() !== '') texts.push({ line, from: place + from, to: place + textEnd, ...found })
    from = to + 1
  }
  return { texts, lineCount: line }
}

/**
 * Reads the text of a clip that `readBlock` returned, by its place. Empty if the file no longer
 * holds text there.
 */
export function readClipText(corpusFolder: string, { file, from, to }: ClipBlock): string {
  return toText(readRange(join(corpusFolder, file), from, to)).text ?? ''
}

const tooLong = { text: null, reason: `is longer than ${maxRecordBytes} bytes` }

function readWhole(path: string, sizeBytes: number): Decoded {
  if (sizeBytes > maxRecordBytes) {
    const reason = `is larger than ${maxRecordBytes} bytes`
    return { text: null, reason, ...namedVideo(path, 0, sizeBytes) }
  }
  const found = toText(readFileSync(path))
  return found.text?.trim() === '' ? { text: null, reason: 'is empty' } : found
}

/**
 * Longer than a field that names a video, so that a field cut in two is whole in the next piece.
 */
const overlapBytes = 256

/**
 * Searches a record that is too long to be read, piece by piece, for the video that it names, so
 * that its clip counts as invalid, not as gone.
 */
function namedVideo(path: string, from: number, to: number): { raw?: string } {
  for (let at = from; at < to; at += blockBytes) {
    const piece = readRange(path, at, Math.min(to, at + blockBytes + overlapBytes))
    const videoId = guessVideoId(piece.toString('latin1'))
    if (videoId !== null) return { raw: `"videoId":"${videoId}"` }
  }
  return {}
}

function readRange(path: string, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(to - from)
  const descriptor = openSync(path, 'r')
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, from))
  } finally {
    closeSync(descriptor)
  }
}

/** Removes a BOM. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

function toText(bytes: Buffer): Decoded {
  if (bytes.length > maxRecordBytes) return { ...tooLong, raw: bytes.toString('latin1') }
  try {
    return { text: utf8.decode(bytes) }
  } catch {
    return { text: null, reason: 'is not UTF-8', raw: bytes.toString('latin1') }
  }
}
