import { readdir } from 'node:fs/promises'
import { isNotFound } from './is-not-found.ts'

/** The names in a folder; none if there is no such folder. @throws the error of the file system */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}
