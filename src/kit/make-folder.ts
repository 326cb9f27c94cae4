import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Of files that only the user and the group of the service may read: logs, caches, state. */
export const privateFileMode = 0o640
export const privateFolderMode = 0o750

/**
 * Makes a folder and those above it that are missing.
 *
 * `mkdir` of Node with `recursive` never returns if a file system answers ENOENT inside a folder
 * that exists, as /proc does.
 *
 * @throws the error of the file system
 */
export function makeFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have made it in the meantime.
    if (!isFolder(folder)) throw error
  }
}

/** The slash at the end makes the answer no for a file. */
function isFolder(path: string): boolean {
  return existsSync(`${path}/`)
}
