import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { threadId } from 'node:worker_threads'
import { isNotFound } from '#kit/not-found.ts'

/**
 * Writes a file whose name identifies its content, unless it exists. A new name is in no release
 * yet, so the file need not be moved into its place. An existing file is replaced whole if it was
 * damaged, or if a killed build left a part of it.
 */
export function writeMissing(workFolder: string, path: string, content: string | Uint8Array): void {
  if (!existsSync(path)) return writeWithFolder(path, content)
  if (readFileSync(path).equals(Buffer.from(content))) return
  const temporaryPath = `${workFolder}/file-${threadId}`
  writeFileSync(temporaryPath, content)
  renameSync(temporaryPath, path)
}

/** Writes a file. Folders are created once one is missing: asking before each is expensive. */
export function writeWithFolder(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content)
  } catch (error) {
    if (!isNotFound(error)) throw error
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
}
