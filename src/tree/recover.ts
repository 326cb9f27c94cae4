import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { releasePath } from '#release/paths.ts'
import { readLedger, type Ledger } from './ledger.ts'
import { readCurrentOrNull } from '#build/release-before.ts'
import { pointTo } from './point-to.ts'

/** What a build writes before a name is whole: its folder for what lies aside, a site on its way, a file to be moved over another. */
const unfinished = /(^\.making-\d+|^\.site-\d+|\.\d+\.tmp)$/
/** A lock not taken: that of who is killed on the way to it, or is on the way just now. */
const lockNotTaken = /^\.build\.lock\.\d+$/

/**
 * Clears up after a build that was killed or failed, so that the next one finds the tree as a whole build leaves it: either nothing was published, or, where the
 * ledger already tells of the release, it is published. For whoever holds the tree; `tookOver` as in `TreeLock`. Gives the ledger.
 */
export async function recover(
  outFolder: string,
  { tookOver }: { tookOver: boolean },
): Promise<Ledger | null> {
  const ledger = await readLedger(outFolder)
  const current = await readCurrentOrNull(outFolder)
  await removeUnfinished(outFolder, tookOver ? [unfinished, lockNotTaken] : [unfinished])
  if (ledger?.release && ledger.release !== current && isThere(outFolder, ledger.release))
    await pointTo(outFolder, ledger.release)
  if (ledger !== null || current === null) await removeReleasesAfter(outFolder, ledger?.releases ?? 0)
  return ledger
}

function isThere(outFolder: string, release: string): boolean {
  return existsSync(join(outFolder, releasePath(release, 'manifest.json')))
}

async function removeUnfinished(outFolder: string, forms: readonly RegExp[]): Promise<void> {
  for (const name of await readdir(outFolder).catch(() => [])) {
    if (forms.some((form) => form.test(name)))
      await rm(join(outFolder, name), { recursive: true, force: true })
  }
}

/** Releases that the ledger does not know of were never in service. */
async function removeReleasesAfter(outFolder: string, number: number): Promise<void> {
  const folder = join(outFolder, 'releases')
  for (const name of await readdir(folder).catch(() => [])) {
    if (Number(/^(\d{6,})-/.exec(name)?.[1] ?? 0) > number) await rm(join(folder, name), { recursive: true })
  }
}
