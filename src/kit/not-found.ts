import { readdir } from 'node:fs/promises'

/** Whether an error means that there is no such file or folder (ENOENT). */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** Returns the result of reading; null if there is no such file or folder. */
export async function nullIfNotFound<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** Returns the names in a folder; none if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await nullIfNotFound(readdir(folder))) ?? []
}
