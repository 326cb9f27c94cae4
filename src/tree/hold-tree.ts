import { withPath } from '#kit/explain-system-error.ts'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { currentPath, releaseNumber, statePath } from '#release/paths.ts'
import { hasManifest, isUnfinished, readReleaseFolders, readReleaseIds } from '#release/release-ids.ts'
import type { LedgerHead } from './ledger.ts'
import { pointTo, readCurrentOrNull } from './pointer.ts'
import { Refused } from './refused.ts'
import { explainSqliteError, State, type LostLedger } from './state.ts'
import { finishRelease, removeUnfinished } from './unfinished-release.ts'

/**
 * Runs `work` on a tree while no other build, prune or rollback does, after cleaning up after a
 * killed one.
 *
 * @throws {TreeLocked} another process is working on the tree
 * @throws {Refused} the ledger of the tree is lost, damaged or older than the tree
 */
export async function holdTree<T>(
  outFolder: string,
  work: (state: State) => Promise<T>,
  lostLedger?: LostLedger,
): Promise<T> {
  const state = State.open(outFolder, lostLedger)
  try {
    // A ledger that is about to be replaced may be in any state.
    if (lostLedger !== 'replace') await recover(outFolder, state)
    return await work(state)
  } catch (error) {
    // An error while writing to an open file lacks its path, for example on a full disk.
    throw explainSqliteError(withPath(error as Error, outFolder), outFolder)
  } finally {
    state.close()
  }
}

/** Temporary files beside the pointer. */
const temporaryFile = /\.\d+\.tmp$/

/**
 * Cleans up after a build that was killed or failed, so that the next one finds the tree as after a
 * complete build: either nothing was published or, if the state already has the release, it is in
 * service. Only the process that holds the tree calls it.
 *
 * @throws {Refused} the ledger is older than the tree, or nothing shows that it is not
 */
export async function recover(outFolder: string, { head }: State): Promise<void> {
  const current = await readCurrentOrNull(outFolder)
  for (const name of await readdir(outFolder))
    if (temporaryFile.test(name)) await rm(join(outFolder, name), { recursive: true })
  const isKnown = head.tree !== ''
  if (isKnown) await refuseOldLedger(outFolder, head)
  if (isKnown && current === null) refuseLostRelease(outFolder, head)
  const { releases, release, heldSince } = head
  for (const id of await readReleaseFolders(outFolder)) {
    if (!isUnfinished(outFolder, id)) continue
    const isFinished = releaseNumber(id) <= releases || id === current
    await (isFinished ? finishRelease(outFolder, id) : removeUnfinished(outFolder, id))
  }
  if (release && release !== current && hasManifest(outFolder, release))
    await pointTo(outFolder, release, heldSince)
}

/**
 * Refuses a ledger that lacks a release of the tree. With it, the next build would use numbers of
 * releases, ordinals of clips and names under `data/` a second time.
 *
 * @throws {Refused}
 */
export async function refuseOldLedger(
  outFolder: string,
  { releases, release }: Pick<LedgerHead, 'releases' | 'release'>,
): Promise<void> {
  const current = await readCurrentOrNull(outFolder)
  const later = (await readReleaseIds(outFolder)).filter((id) => releaseNumber(id) > releases)
  if (current !== null && releaseNumber(current) > releases) later.push(current)
  const newest = later.sort().at(-1)
  if (newest === undefined) return
  throw new Refused(
    `nothing was changed, because the ledger of "${outFolder}" ends with release ${release ?? 'none'}, but the tree has release ${newest}. Restore a newer ledger (.build/state.sqlite or an exported one), restore the whole tree from the backup that the ledger is from or, if neither is possible, ${beginNewTree(outFolder)}`,
  )
}

/**
 * Refuses a tree that has lost its pointer and the release of its ledger, because later releases
 * may be lost with them.
 *
 * @throws {Refused}
 */
function refuseLostRelease(outFolder: string, { release }: LedgerHead): void {
  if (release === null || hasManifest(outFolder, release)) return
  throw new Refused(
    `nothing was changed, because "${outFolder}" has lost ${currentPath} and release ${release}, which would show whether its ledger is the latest. Copy ${currentPath} and releases/ back from a backup or from the place where the tree is published or, if there is neither, ${beginNewTree(outFolder)}`,
  )
}

function beginNewTree(outFolder: string): string {
  return `move "${join(outFolder, statePath)}" away and begin a new tree in its place with "build --new-tree", which ends all cursors`
}
