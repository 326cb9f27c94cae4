import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { threadId } from 'node:worker_threads'
import { isNotFound } from '#kit/is-not-found.ts'

/**
 * Writes a file whole or not at all: in the work folder, then moved into its place. Folders on the
 * way are made.
 */
export function writeWhole(workFolder: string, path: string, bytes: Uint8Array): void {
  const unfinished = `${workFolder}/file-${threadId}`
  writeWithFolder(unfinished, bytes)
  moveFile(unfinished, path)
}

/** Does so unless the file is there. One that is there may have been damaged. */
export function writeMissing(workFolder: string, path: string, bytes: Uint8Array): void {
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeWhole(workFolder, path, bytes)
}

/**
 * Writes a file. Folders on the way are made only once one is missing: asking before each file is
 * dear.
 */
export function writeWithFolder(path: string, bytes: Uint8Array): void {
  withFolder(path, () => writeFileSync(path, bytes))
}

/** Puts a file, or a folder, into its place. Folders on the way are made. */
export function moveFile(from: string, to: string): void {
  withFolder(to, () => renameSync(from, to))
}

function withFolder(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isNotFound(error)) throw error
    mkdirSync(dirname(path), { recursive: true })
    write()
  }
}
