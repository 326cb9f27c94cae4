import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { withPath } from './explain-system-error.ts'
import { makeFolder, privateFileMode, privateFolderMode } from './make-folder.ts'
import { syncOne } from './sync-folder.ts'

/**
 * Writes a whole file or nothing: to a temporary file, which is then renamed. Missing folders are
 * created. With `sync`, the bytes are on disk before the name points to them, and so is the name
 * when this returns. With `isPrivate`, other users cannot read the file. Each piece of a list is
 * one write, which takes 20 µs.
 *
 * @throws the error of the file system; the file is then unchanged
 */
export async function atomicWrite(
  path: string,
  data: string | Uint8Array | Iterable<string | Uint8Array>,
  { sync, isPrivate = false }: { sync: boolean; isPrivate?: boolean },
): Promise<void> {
  makeFolder(dirname(path), isPrivate ? privateFolderMode : undefined)
  const aside = `${path}.${process.pid}.tmp`
  try {
    const handle = await open(aside, 'w', isPrivate ? privateFileMode : undefined)
    try {
      await handle.writeFile(data)
      if (sync) await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(aside, path)
    if (sync) await syncOne(dirname(path))
  } catch (error) {
    await rm(aside, { force: true })
    throw withPath(error as Error, path)
  }
}
