import { isLines, type Decoded } from './clip-blocks.ts'
import { listClipFiles, notRegular } from './clip-files.ts'
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
  const { files, irregular } = await listClipFiles(corpusFolder)
  for (const file of irregular) yield { file, text: null, reason: notRegular }
  for (const { file } of files) {
    let isEmpty = true
    for (const text of readTexts(corpusFolder, file)) {
      yield { file, ...text }
      isEmpty = false
    }
    if (isEmpty && isLines(file)) yield { file, ...emptyFile }
  }
}
