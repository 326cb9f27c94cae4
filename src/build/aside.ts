import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'

/** Where a build keeps what is not whole yet: beside `data/`, so that a file is moved there in one step. */
export function asideFolderOf(outFolder: string, pid: number): string {
  return join(outFolder, `.making-${pid}`)
}

/** Writes a file whole or not at all: aside, then moved into its place. Folders on the way are made. */
export function writeAside(asideFolder: string, path: string, bytes: Uint8Array): void {
  const aside = `${asideFolder}/file-${threadId}`
  writeMaking(aside, bytes)
  moveFile(aside, path)
}

/** Writes a file. Folders on the way are made: that one is missing is seldom, and asking before each file is dear. */
export function writeMaking(path: string, bytes: Uint8Array): void {
  try {
    writeFileSync(path, bytes)
  } catch (error) {
    makeFolderFor(path, error)
    writeFileSync(path, bytes)
  }
}

/** Puts a file, or a folder, into its place. Folders on the way are made. */
export function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    makeFolderFor(to, error)
    renameSync(from, to)
  }
}

/** @throws the error, where it is not that the folder is missing */
function makeFolderFor(path: string, error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  mkdirSync(dirname(path), { recursive: true })
}
