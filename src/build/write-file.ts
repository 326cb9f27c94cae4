import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { threadId } from 'node:worker_threads'
import { isNotFound } from '#kit/not-found.ts'

/**
 * Writes a file whole or not at all: in the work folder, then moved into its place. Folders on the
 * way are made.
 */
export function writeWhole(workFolder: string, path: string, bytes: Uint8Array): void {
  const unfinished = `${workFolder}/file-${threadId}`
  writeWithFolder(unfinished, bytes)
  moveFile(unfinished, path)
}

/**
 * Writes a file whose name says its content, unless it is there. A new name is in no release yet,
 * so the file is not moved into its place. One that is there is replaced whole if it was damaged,
 * or if a killed build left a part of it.
 */
export function writeMissing(workFolder: string, path: string, bytes: Uint8Array): void {
  if (!existsSync(path)) writeWithFolder(path, bytes)
  else if (!readFileSync(path).equals(bytes)) writeWhole(workFolder, path, bytes)
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
