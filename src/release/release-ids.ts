import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { releaseNumber, releasePath } from './paths.ts'
import { namesIn } from '#kit/names-in.ts'

export const releaseIdForm = /^\d{6,}-[0-9a-f]{8}$/

/**
 * The releases of a tree in a folder, oldest first; none if the folder has none. Of a pruned
 * release only its changes are left.
 */
export async function readReleaseIds(outFolder: string): Promise<string[]> {
  const ids = await readReleaseFolders(outFolder)
  return ids.filter((id) => existsSync(join(outFolder, releasePath(id, 'manifest.json'))))
}

/** The same with the pruned ones. */
export async function readReleaseFolders(outFolder: string): Promise<string[]> {
  const names = await namesIn(join(outFolder, 'releases'))
  return names.filter((name) => releaseIdForm.test(name)).sort(byNumber)
}

/**
 * The order in which releases were built. Two have the same number only after a ledger was lost.
 */
function byNumber(a: string, b: string): number {
  return releaseNumber(a) - releaseNumber(b) || (a < b ? -1 : 1)
}

/**
 * The release that a person names by its id or its number; undefined if there is none, or more than
 * one.
 */
export function findRelease(ids: readonly string[], named: string): string | undefined {
  if (ids.includes(named)) return named
  if (!/^\d+$/.test(named)) return undefined
  const found = ids.filter((id) => releaseNumber(id) === Number(named))
  return found.length === 1 ? found[0] : undefined
}
