import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseNumber, releasePath } from '#release/paths.ts'
import { readReleaseFolders } from '#release/release-ids.ts'
import { pointTo, readCurrentOrNull } from './pointer.ts'
import { explained, State, type LostLedger } from './state.ts'

/**
 * Runs `work` on a tree while no other build, prune or rollback does. What a killed one left is
 * cleaned up first; `notes` say what an operator should know about that.
 *
 * @throws {TreeLocked} another process is working on the tree
 * @throws {Refused} the ledger of the tree is lost or damaged
 */
export async function holdTree<T>(
  outFolder: string,
  work: (state: State, notes: string[]) => Promise<T>,
  lost?: LostLedger,
): Promise<T> {
  const state = State.open(outFolder, lost)
  try {
    const notes = await recover(outFolder, state)
    return await work(state, notes)
  } catch (error) {
    throw explained(error, outFolder)
  } finally {
    state.close()
  }
}

/** Temporary files beside the pointer. */
const unfinished = /\.\d+\.tmp$/

/**
 * Cleans up after a build that was killed or failed, so that the next one finds the tree as a
 * complete build leaves it: either nothing was published or, if the state has the release already,
 * it is in service. Only the process that holds the tree calls it.
 *
 * Returns notes if that undid more than an unfinished build can have left.
 */
export async function recover(outFolder: string, { head }: State): Promise<string[]> {
  const current = await readCurrentOrNull(outFolder)
  for (const name of await readdir(outFolder).catch(() => []))
    if (unfinished.test(name)) await rm(join(outFolder, name), { recursive: true })
  const isKnown = head.tree !== ''
  const { releases, release } = head
  // A build stores a release in the state before it points to it. If the state lacks the release in
  // service, it was restored from a backup.
  const isOld = isKnown && current !== null && releaseNumber(current) > releases
  const isThere = (id: string) => existsSync(join(outFolder, releasePath(id, 'manifest.json')))
  if (release && release !== current && isThere(release)) await pointTo(outFolder, release)
  // Releases that the state does not know were never in service.
  if (isKnown || current === null)
    for (const id of await readReleaseFolders(outFolder))
      if (releaseNumber(id) > releases) await rm(join(outFolder, 'releases', id), { recursive: true })
  if (!isOld) return []
  return [
    `the state is older than release ${current}, which was in service: it records ${releases} releases. Release ${release} is in service again, and later ones were removed`,
  ]
}
