import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseNumber, releasePath } from '#release/paths.ts'
import { readCurrentOrNull } from './current.ts'
import { pointTo } from './point-to.ts'
import type { State } from './state.ts'

/**
 * What is written beside the pointer before its name is whole, and the work folders of earlier
 * versions.
 */
const unfinished = /(^\.making-\d+|^\.site-\d+|\.\d+\.tmp)$/

/**
 * Clears up after a build that was killed or failed, so that the next one finds the tree as a whole
 * build leaves it: either nothing was published, or, where the state already tells of the release,
 * it is in service. For whoever holds the tree.
 *
 * Gives notes where that took back more than an unfinished build can have left.
 */
export async function recover(outFolder: string, { head }: State): Promise<string[]> {
  const current = await readCurrentOrNull(outFolder)
  await removeUnfinished(outFolder)
  const isKnown = head.tree !== ''
  const notes = isKnown ? notesOn(head, current) : []
  if (head.release && head.release !== current && isThere(outFolder, head.release))
    await pointTo(outFolder, head.release)
  if (isKnown || current === null) await removeReleasesAfter(outFolder, head.releases)
  return notes
}

/**
 * No build points to a release before the state tells of it: where it does not, the state was put
 * back from a backup.
 */
function notesOn({ releases, release }: State['head'], current: string | null): string[] {
  if (current === null || releaseNumber(current) <= releases) return []
  return [
    `the state is older than release ${current}, which was in service: it records ${releases} releases. Release ${release} is in service again, and later ones were removed`,
  ]
}

function isThere(outFolder: string, release: string): boolean {
  return existsSync(join(outFolder, releasePath(release, 'manifest.json')))
}

async function removeUnfinished(outFolder: string): Promise<void> {
  for (const name of await readdir(outFolder).catch(() => []))
    if (unfinished.test(name)) await rm(join(outFolder, name), { recursive: true, force: true })
}

/** Releases that the state does not know of were never in service. */
async function removeReleasesAfter(outFolder: string, number: number): Promise<void> {
  const folder = join(outFolder, 'releases')
  for (const name of await readdir(folder).catch(() => [])) {
    if (Number(/^(\d{6,})-/.exec(name)?.[1] ?? 0) > number) await rm(join(folder, name), { recursive: true })
  }
}
