import { createReadStream } from 'node:fs'

/**
 * A longer record is neither a clip nor a word; reading it would use up the memory of the build.
 */
export const maxRecordBytes = 64 * 1024 * 1024

/**
 * A line of a file. `text` is null if it cannot be text, with the reason and, if it is short
 * enough, its bytes as latin1.
 */
export type Line = { line: number; text: string } | { line: number; text: null; reason: string; raw?: string }

/** Removes a BOM. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a file line by line in bounded memory: UTF-8 with or without BOM, LF or CRLF, the last line
 * with or without an end. Lines are counted from 1, including blank ones. A line that is not UTF-8
 * or too long is reported, and reading continues.
 *
 * @throws the error of the file system, if the file cannot be read
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let line = 0
  let pieces: Buffer[] = []
  let size = 0
  const take = (last: Buffer): Line => {
    line++
    const tooLong = size + last.length > maxRecordBytes
    const bytes = tooLong ? last : pieces.length > 0 ? Buffer.concat([...pieces, last]) : last
    pieces = []
    size = 0
    return tooLong
      ? { line, text: null, reason: `is longer than ${maxRecordBytes} bytes` }
      : toLine(line, bytes)
  }
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield take(chunk.subarray(from, end))
      from = end + 1
    }
    if (from < chunk.length) {
      if (size <= maxRecordBytes) pieces.push(chunk.subarray(from))
      else pieces = []
      size += chunk.length - from
    }
  }
  if (size > 0) yield take(Buffer.alloc(0))
}

function toLine(line: number, bytes: Buffer): Line {
  try {
    return { line, text: utf8.decode(bytes).replace(/\r$/, '') }
  } catch {
    return { line, text: null, reason: 'is not UTF-8', raw: bytes.toString('latin1') }
  }
}
