import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { releaseNumber, releasePath, unfinishedMark } from './paths.ts'
import { namesIn } from '#kit/not-found.ts'

/** A number, which is exact up to 15 digits, and a digest. */
export const releaseIdForm = /^\d{6,15}-[0-9a-f]{8}$/

/**
 * Returns the releases of a tree in a folder, oldest first; none if the folder has none. Only the
 * changes of a pruned release are left, and an unfinished one has a mark.
 */
export async function readReleaseIds(outFolder: string): Promise<string[]> {
  const ids = await readReleaseFolders(outFolder)
  return ids.filter((id) => hasManifest(outFolder, id) && !isUnfinished(outFolder, id))
}

/** Whether a release was not pruned. */
export function hasManifest(outFolder: string, release: string): boolean {
  return existsSync(join(outFolder, releasePath(release, 'manifest.json')))
}

/** Whether the ledger may lack a release. */
export function isUnfinished(outFolder: string, release: string): boolean {
  return existsSync(join(outFolder, releasePath(release, unfinishedMark)))
}

/** Returns the same with the pruned and unfinished ones. */
export async function readReleaseFolders(outFolder: string): Promise<string[]> {
  const names = await namesIn(join(outFolder, 'releases'))
  return names.filter((name) => releaseIdForm.test(name)).sort(byNumber)
}

/** Compares releases in the order of builds. Two have one number only after a lost ledger. */
function byNumber(a: string, b: string): number {
  return releaseNumber(a) - releaseNumber(b) || (a < b ? -1 : 1)
}
