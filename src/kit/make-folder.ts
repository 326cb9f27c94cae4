import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

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
