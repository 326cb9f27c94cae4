import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseNumber, releasePath } from './paths.ts'
import { isNotFound } from '#kit/is-not-found.ts'

const releaseIdForm = /^\d{6,}-[0-9a-f]{8}$/

/**
 * The releases that a tree in a folder holds, the oldest first; none where it has no such folder.
 * Of a pruned release only its changes are left.
 */
export async function readReleaseIds(outFolder: string): Promise<string[]> {
  const ids = await readReleaseFolders(outFolder)
  return ids.filter((id) => existsSync(join(outFolder, releasePath(id, 'manifest.json'))))
}

/** The same with the pruned ones. */
export async function readReleaseFolders(outFolder: string): Promise<string[]> {
  const names = await readNames(join(outFolder, 'releases'))
  return names.filter((name) => releaseIdForm.test(name)).sort(byNumber)
}

/**
 * The order in which releases were made. Two of one number there are only where a ledger was lost.
 */
function byNumber(a: string, b: string): number {
  return releaseNumber(a) - releaseNumber(b) || (a < b ? -1 : 1)
}

async function readNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

/**
 * The release that a person names, by its id or its number alone; undefined where there is no such
 * one, or more than one.
 */
export function findRelease(ids: readonly string[], named: string): string | undefined {
  if (ids.includes(named)) return named
  if (!/^\d+$/.test(named)) return undefined
  const found = ids.filter((id) => releaseNumber(id) === Number(named))
  return found.length === 1 ? found[0] : undefined
}
