import { readFile, stat } from 'node:fs/promises'
import { decodeUtf8 } from './formats/decode-text.ts'
import { Rejection } from './rejection.ts'

/** Far above the subtitles of any clip, so that a film is not read by mistake. */
const maxSizeBytes = 16 * 2 ** 20

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read: permission denied',
  EPERM: 'cannot be read: permission denied',
  ELOOP: 'is a symbolic link that leads back to itself',
}

/**
 * Reads the bytes of a file.
 *
 * @throws {Rejection} the path cannot be read, is not a file, or is too large
 */
export async function readBytes(path: string, limitBytes = maxSizeBytes): Promise<Uint8Array> {
  try {
    const stats = await stat(path)
    // Reading a pipe or a device may never end.
    if (!stats.isFile() && !stats.isDirectory()) throw new Rejection('is not a regular file')
    if (stats.size > limitBytes)
      throw new Rejection(
        `is ${Math.ceil(stats.size / 2 ** 20)} MB, but at most ${limitBytes / 2 ** 20} MB are allowed`,
      )
    return await readFile(path)
  } catch (error) {
    throw error instanceof Rejection ? error : new Rejection(describe(error as NodeJS.ErrnoException))
  }
}

/** Reads the text of a file. @throws {Rejection} as `readBytes`, or it is not UTF-8 */
export async function readUtf8(path: string): Promise<string> {
  const text = decodeUtf8(await readBytes(path))
  if (text === null) throw new Rejection('is not UTF-8')
  return text
}

/** Reads the value of a JSON file. @throws {Rejection} as `readUtf8`, or it is not JSON */
export async function readJson(path: string): Promise<unknown> {
  const text = await readUtf8(path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Rejection(`is not valid JSON: ${(error as Error).message}`)
  }
}

/** Returns a message for an error of the file system. */
export function describe(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ''] ?? `cannot be read: ${error.message}`
}
