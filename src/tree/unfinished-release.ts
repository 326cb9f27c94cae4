/**
 * Until the ledger contains a release, its folder has a mark. If a build is killed before that, the
 * mark shows that the release was never in service. If the ledger lacks a release without the mark,
 * the ledger is too old.
 */
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { atomicWrite } from '#kit/atomic-write.ts'
import { makeFolder } from '#kit/make-folder.ts'
import { syncOne } from '#kit/sync-folder.ts'
import { unfinishedMark, workPath } from '#release/paths.ts'

/** Marks a release. The mark is on disk when this returns. */
export async function markUnfinished(releaseFolder: string): Promise<void> {
  await atomicWrite(join(releaseFolder, unfinishedMark), '', { sync: true })
}

/** Removes the mark, once the ledger contains the release. */
export async function finishRelease(outFolder: string, release: string): Promise<void> {
  const folder = join(outFolder, 'releases', release)
  await rm(join(folder, unfinishedMark))
  await syncOne(folder)
}

/** Removes an unfinished release: all of it at once, because a part could look finished. */
export async function removeUnfinished(outFolder: string, release: string): Promise<void> {
  const aside = join(outFolder, workPath, 'unfinished')
  makeFolder(dirname(aside))
  await rm(aside, { recursive: true, force: true })
  await rename(join(outFolder, 'releases', release), aside)
  await syncOne(join(outFolder, 'releases'))
  await rm(aside, { recursive: true })
}
