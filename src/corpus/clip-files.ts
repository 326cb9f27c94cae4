import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { walkFolder } from '#kit/walk-folder.ts'

/** A file of source clips: one clip (`.json`) or one a line (`.jsonl`). */
export interface ClipFile {
  /** Relative to the corpus folder. */
  file: string
  sizeBytes: number
  /** Size, times and inode: a file with the same stamp has the same bytes. */
  stamp: string
  /** When its bytes or name last changed, in nanoseconds since the epoch. */
  changedNs: bigint
}

/** Why a pipe or a device is not read. */
export const notRegular = 'is not a regular file'

/**
 * Lists `clips/**` of a source corpus by path, and what there is no regular file. Links are
 * followed; a file that several lead to is listed once.
 *
 * @throws the error of the file system, if a file cannot be inspected
 */
export async function listClipFiles(
  corpusFolder: string,
): Promise<{ files: ClipFile[]; irregular: string[] }> {
  const folder = join(corpusFolder, 'clips')
  if (!existsSync(folder)) return { files: [], irregular: [] }
  const { files, irregular } = await walkFolder(folder, {
    wanted: (name) => /\.jsonl?$/.test(name),
    followOutside: true,
  })
  return {
    files: files.map((name) => stampOf(corpusFolder, `clips/${name}`)),
    irregular: irregular.map((name) => `clips/${name}`),
  }
}

/** A file of a corpus as it is now. */
export function stampOf(corpusFolder: string, file: string): ClipFile {
  const { size, mtimeNs, ctimeNs, ino } = statSync(join(corpusFolder, file), { bigint: true })
  return {
    file,
    sizeBytes: Number(size),
    stamp: `${size}-${mtimeNs.toString(36)}-${ctimeNs.toString(36)}-${ino.toString(36)}`,
    changedNs: ctimeNs,
  }
}
