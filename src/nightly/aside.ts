import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { threadId } from 'node:worker_threads'

/** Where a build keeps what is not whole yet: beside `data/`, so that a file is moved there in one step. */
export function asideFolderOf(outFolder: string, pid: number): string {
  return join(outFolder, `.making-${pid}`)
}

/** Writes a file whole or not at all: aside, then moved into its place. Folders on the way are made. */
export function writeAside(asideFolder: string, path: string, bytes: Uint8Array): void {
  const aside = join(asideFolder, `file-${threadId}`)
  makingFolders(dirname(aside), () => writeFileSync(aside, bytes))
  moveFile(aside, path)
}

/** Puts a file, or a folder, into its place. Folders on the way are made. */
export function moveFile(from: string, to: string): void {
  makingFolders(dirname(to), () => renameSync(from, to))
}

/** Writes a file. Folders on the way are made: that one is missing is seldom, and asking before each file is dear. */
export function writeMaking(path: string, bytes: string | Uint8Array): void {
  makingFolders(dirname(path), () => writeFileSync(path, bytes))
}

function makingFolders(folder: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(folder, { recursive: true })
    work()
  }
}
