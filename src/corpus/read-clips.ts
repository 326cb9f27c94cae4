import { isLines, type Decoded } from './clip-blocks.ts'
import { listClipFiles } from './clip-files.ts'
import { readTexts } from './read-texts.ts'

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
  for (const { file } of await listClipFiles(corpusFolder)) {
    let isEmpty = true
    for (const text of readTexts(corpusFolder, file)) {
      yield { file, ...text }
      isEmpty = false
    }
    if (isEmpty && isLines(file)) yield { file, ...emptyFile }
  }
}
