import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readLedger } from './ledger.ts'
import { readCurrentOrNull } from './release-before.ts'
import { pointTo } from './seal-release.ts'

/** What a build writes before a name is whole: its folder for what lies aside, a site on its way, a lock not taken, a file to be moved over another. */
const unfinished = /(^\.making-\d+|^\.site-\d+|^\.build\.lock\.\d+|\.\d+\.tmp)$/

/**
 * Clears up after a build that was killed, so that the next one finds the tree as a whole build leaves it: either nothing was published, or, where the
 * ledger already tells of the release, it is published.
 */
export async function recover(outFolder: string): Promise<void> {
  const ledger = await readLedger(outFolder)
  const current = await readCurrentOrNull(outFolder)
  if (ledger?.release && ledger.release !== current) await pointTo(outFolder, ledger.release)
  await removeUnfinished(outFolder)
  if (ledger !== null || current === null) await removeReleasesAfter(outFolder, ledger?.releases ?? 0)
}

async function removeUnfinished(outFolder: string): Promise<void> {
  for (const name of await readdir(outFolder).catch(() => [])) {
    if (unfinished.test(name)) await rm(join(outFolder, name), { recursive: true, force: true })
  }
}

/** Releases that the ledger does not know of were never in service. */
async function removeReleasesAfter(outFolder: string, number: number): Promise<void> {
  const folder = join(outFolder, 'releases')
  for (const name of await readdir(folder).catch(() => [])) {
    if (Number(/^(\d{6,})-/.exec(name)?.[1] ?? 0) > number) await rm(join(folder, name), { recursive: true })
  }
}
