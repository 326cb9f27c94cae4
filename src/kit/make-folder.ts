import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** The mode of files that only the service's user and group may read: logs, caches, state. */
export const privateFileMode = 0o640
export const privateFolderMode = 0o750

/**
 * Creates a folder and its missing parents.
 *
 * Node's `mkdir` with `recursive` never returns if a file system answers ENOENT inside an existing
 * folder, as /proc does.
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
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error
  }
}

/** The slash at the end makes this false for a file. */
function isFolder(path: string): boolean {
  return existsSync(`${path}/`)
}
