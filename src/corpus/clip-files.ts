import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { walkFolder } from '#kit/walk-folder.ts'
import { notRegular, readTexts, type FileText } from './read-texts.ts'

/** A file of source clips: one clip (`.json`) or one clip per line (`.jsonl`). */
export interface ClipFile {
  /** Relative to the corpus folder. */
  file: string
  sizeBytes: number
  /** Size, times and inode. Files with the same stamp have the same bytes. */
  stamp: string
  /** When its bytes or name last changed, in nanoseconds since the epoch. */
  changedNs: bigint
}

/**
 * Lists `clips/**` of a source corpus by path, and anything there that is not a regular file. Links
 * are followed; a file that several links lead to is listed once.
 *
 * @throws the error of the file system, if a file cannot be inspected
 */
export async function listClipFiles(
  corpusFolder: string,
): Promise<{ files: ClipFile[]; irregular: string[] }> {
  const folder = join(corpusFolder, 'clips')
  if (!existsSync(folder)) return { files: [], irregular: [] }
  const { files, irregular } = await walkFolder(folder, {
    accepts: (name) => /\.jsonl?$/i.test(name),
    followOutside: true,
  })
  return {
    files: files.map((name) => stampOf(corpusFolder, `clips/${name}`)),
    irregular: irregular.map((name) => `clips/${name}`),
  }
}

export function stampOf(corpusFolder: string, file: string): ClipFile {
  const { size, mtimeNs, ctimeNs, ino } = statSync(join(corpusFolder, file), { bigint: true })
  return {
    file,
    sizeBytes: Number(size),
    stamp: `${size}-${mtimeNs.toString(36)}-${ctimeNs.toString(36)}-${ino.toString(36)}`,
    changedNs: ctimeNs,
  }
}

/** The text of a clip, or of a whole file without clips. */
export type ClipText = FileText & { file: string }

/** Reads the clips of a file, one text at a time. A file without clips is a fault. */
export function* readClipFile(corpusFolder: string, file: string): Generator<ClipText> {
  let isEmpty = true
  for (const text of readTexts(corpusFolder, file)) {
    yield { file, ...text }
    isEmpty = false
  }
  if (isEmpty) yield { file, text: null, reason: 'the file is empty', from: 0, to: 0 }
}

/**
 * Reads the clips of a source corpus, `clips/**` by path and line: a `.jsonl` of any size is
 * streamed.
 *
 * @throws the error of the file system, if a file cannot be read
 */
export async function* readClips(corpusFolder: string): AsyncGenerator<ClipText> {
  const { files, irregular } = await listClipFiles(corpusFolder)
  for (const file of irregular) yield { file, text: null, reason: notRegular, from: 0, to: 0 }
  for (const { file } of files) yield* readClipFile(corpusFolder, file)
}
