import { readFile, stat } from 'node:fs/promises'
import { Rejection } from './rejection.ts'

/** Far above the subtitles of any clip: keeps a film that was named by mistake out of memory. */
const maxSizeBytes = 16 * 2 ** 20

const reasons: Record<string, string> = {
  ENOENT: 'no such file or folder',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  ELOOP: 'is a symbolic link to itself',
}

/** The bytes of a file. @throws {Rejection} it cannot be read, is no file or is too large */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path)
    if (size > maxSizeBytes)
      throw new Rejection(`is ${Math.ceil(size / 2 ** 20)} MB, too large for a subtitle file`)
    return await readFile(path)
  } catch (error) {
    throw error instanceof Rejection ? error : new Rejection(describe(error as NodeJS.ErrnoException))
  }
}

/** A fault of the file system, for a person. */
export function describe(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ''] ?? `cannot be read: ${error.message}`
}

export async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
}
