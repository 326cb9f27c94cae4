import { blocksOf, isLines, readBlock, type Decoded } from './clip-blocks.ts'
import { listClipFiles } from './clip-files.ts'

/** The fault of a file of lines without a clip. */
export const emptyFile = { text: null, reason: 'is empty' } satisfies Decoded

/**
 * Reads the clips of a source corpus, `clips/**` by path and line, one text at a time: a `.jsonl`
 * of any size is streamed.
 *
 * @throws the error of the file system, if a file cannot be read
 */
export async function* readClips(
  corpusFolder: string,
): AsyncGenerator<{ file: string; line?: number } & Decoded> {
  for (const clipFile of await listClipFiles(corpusFolder)) {
    const { file } = clipFile
    let before = 0
    let isEmpty = true
    for (const block of blocksOf(corpusFolder, clipFile)) {
      const { texts, lineCount } = readBlock(corpusFolder, block)
      for (const { line, from: _, to: __, ...text } of texts)
        yield { file, ...(line === undefined ? {} : { line: before + line }), ...text }
      before += lineCount
      isEmpty &&= texts.length === 0
    }
    if (isEmpty && isLines(file)) yield { file, ...emptyFile }
  }
}
