import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, privateFileMode, privateFolderMode } from './make-folder.ts'
import { syncOne } from './sync-folder.ts'

/** Smaller pieces are joined up to this size, because each write takes 20 µs. */
const chunkBytes = 64 * 1024

/**
 * Writes a whole file or nothing: to a temporary file, which is then renamed. Missing folders are
 * made. With `sync` the bytes are on the disk before the name points to them, and the name is when
 * this returns. With `isPrivate`, other users cannot read the file.
 *
 * @throws the error of the file system; the file is then as it was
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
      const isWhole = typeof data === 'string' || data instanceof Uint8Array
      await handle.writeFile(isWhole ? data : inChunks(data))
      if (sync) await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(aside, path)
    if (sync) await syncOne(dirname(path))
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
}

/** Large pieces are not copied. */
function* inChunks(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let small: Uint8Array[] = []
  let sizeBytes = 0
  for (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    if (sizeBytes + bytes.length > chunkBytes) {
      yield Buffer.concat(small)
      small = []
      sizeBytes = 0
    }
    if (bytes.length > chunkBytes) {
      yield bytes
    } else {
      small.push(bytes)
      sizeBytes += bytes.length
    }
  }
  yield Buffer.concat(small)
}
