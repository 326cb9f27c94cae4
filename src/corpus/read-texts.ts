import { statSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf, readBlock, type Decoded } from './clip-blocks.ts'

/**
 * Reads the texts of a file in bounded memory: of a `.json` one, of any other file the lines that
 * are not blank. They are UTF-8 with or without BOM, lines end with LF or CRLF, and are counted
 * from 1, including blank ones. A text that is not UTF-8 or too long is reported, and reading
 * continues. To read a pipe or a device may never end: only a regular file is read.
 *
 * @throws the error of the file system, if the file cannot be read
 */
export function* readTexts(folder: string, file: string): Generator<{ line?: number } & Decoded> {
  const path = join(folder, file)
  const stats = statSync(path)
  if (!stats.isFile()) return yield { text: null, reason: 'is not a regular file' }
  let before = 0
  for (const block of blocksOf(folder, { file, sizeBytes: stats.size })) {
    const { texts, lineCount } = readBlock(folder, block)
    for (const { line, from: _, to: __, ...text } of texts)
      yield { ...(line === undefined ? {} : { line: before + line }), ...text }
    before += lineCount
  }
}
