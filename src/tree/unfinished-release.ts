/**
 * Until the ledger contains a release, its folder has a mark. If a build is killed before that, the
 * mark shows that the release was never in service. Releases without it are later than a ledger
 * that lacks them.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { atomicWrite } from '#kit/atomic-write.ts'
import { syncOne } from '#kit/sync-folder.ts'
import { releasePath, unfinishedMark } from '#release/paths.ts'

/** Marks a release. The mark is on disk when this returns. */
export async function markUnfinished(releaseFolder: string): Promise<void> {
  await atomicWrite(join(releaseFolder, unfinishedMark), '', { sync: true })
}

export function isUnfinished(outFolder: string, release: string): boolean {
  return existsSync(join(outFolder, releasePath(release, unfinishedMark)))
}

/** Removes the mark, once the ledger contains the release. */
export async function finishRelease(outFolder: string, release: string): Promise<void> {
  const folder = join(outFolder, 'releases', release)
  await rm(join(folder, unfinishedMark), { force: true })
  await syncOne(folder)
}

/** Removes an unfinished release: first its manifest, because nothing is a release without one. */
export async function removeUnfinished(outFolder: string, release: string): Promise<void> {
  const folder = join(outFolder, 'releases', release)
  await rm(join(folder, 'manifest.json'), { force: true })
  await rm(folder, { recursive: true })
}
