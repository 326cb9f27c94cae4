import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { toDate } from '#contract/dates.ts'
import { systemClock, type Clock } from '#kit/clock.ts'
import { namedFiles } from '#release/named-files.ts'
import { filesOf } from '#release/manifest.ts'
import { releaseNumber, releasePath } from '#release/paths.ts'
import { readReleaseIds } from '#release/release-ids.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { FolderTree, TreeFault } from '#release/tree.ts'
import { holdTree } from './hold-tree.ts'
import { nameRelease } from './releases.ts'
import { Refused } from './refused.ts'
import type { State } from './state.ts'
import { pointTo } from './pointer.ts'

/**
 * Puts another release of the tree in service: the one named by its id or number, or the last one
 * before the current one that can be served. Nothing is changed unless all of its files exist. It
 * stays in service until `resume`, even if builds make new ones. Returns the previous release, the
 * new one, and those between the two that cannot be served.
 *
 * @throws {Refused} there is no such release, it is in service already, or it cannot be served
 * @throws {TreeLocked} a build is working on the tree
 */
export async function rollback(outFolder: string, idOrNumber?: string, clock: Clock = systemClock) {
  const current = await readCurrent(new FolderTree(outFolder))
  const targetId = idOrNumber === undefined ? undefined : await nameRelease(outFolder, idOrNumber)
  if (targetId === current) throw new Refused(`release ${current} is already in service`)
  return await holdTree(outFolder, async (state) => {
    const from = await readCurrent(new FolderTree(outFolder))
    const { to, passedOver } = await choose(outFolder, state, from, targetId)
    state.head.release = to
    state.head.heldSince = toDate(clock.now())
    // The state comes first: after a crash in between, the next process that holds the tree moves
    // the pointer to the state's release.
    state.commit()
    await pointTo(outFolder, to, state.head.heldSince)
    return { from, to, passedOver }
  })
}

/**
 * Ends a rollback: puts the last release in service, and those that are built from now on.
 *
 * @throws {Refused} there is no rollback, or the last release cannot be served
 * @throws {TreeLocked} a build is working on the tree
 */
export async function resume(outFolder: string): Promise<{ from: string; to: string }> {
  const current = await readCurrent(new FolderTree(outFolder))
  return await holdTree(outFolder, async (state) => {
    const { heldSince, release: from, latest: to } = state.head
    if (!heldSince || !from || !to)
      throw new Refused(
        `there is no rollback to end: release ${current} is in service, and no later one is held back`,
      )
    const fault = await faultOf(outFolder, state, to)
    if (fault !== null)
      throw new Refused(`cannot resume with ${to}: ${fault}. Release ${from} stays in service`)
    state.head.release = to
    delete state.head.heldSince
    state.commit()
    await pointTo(outFolder, to)
    return { from, to }
  })
}

async function choose(outFolder: string, state: State, from: string, targetId: string | undefined) {
  const ids = await readReleaseIds(outFolder)
  const older = ids.filter((id) => releaseNumber(id) < releaseNumber(from)).reverse()
  const passedOver: { release: string; fault: string }[] = []
  for (const release of targetId === undefined ? older : [targetId]) {
    const fault = await faultOf(outFolder, state, release)
    if (fault === null) return { to: release, passedOver }
    passedOver.push({ release, fault })
  }
  if (targetId !== undefined)
    throw new Refused(
      `cannot roll back to ${targetId}: ${passedOver[0]!.fault}. Release ${from} stays in service`,
    )
  const reasons = passedOver.map(({ release, fault }) => `; ${release}: ${fault}`).join('')
  throw new Refused(`cannot roll back: there is no release before ${from} that can be served${reasons}`)
}

/** Returns the reason why a release cannot be served; null if it can. */
async function faultOf(outFolder: string, { head }: State, id: string): Promise<string | null> {
  try {
    using release = await openRelease(new FolderTree(outFolder), id)
    if (release.manifest.tree !== head.tree) return 'it is of another tree than the ledger'
    const filesOfRelease = filesOf(release.manifest).map((file) => releasePath(id, file))
    return missingOf(outFolder, filesOfRelease) ?? missingOf(outFolder, namedFiles(release))
  } catch (error) {
    if (error instanceof TreeFault || error instanceof SyntaxError) return error.message
    throw error
  }
}

function missingOf(outFolder: string, paths: Iterable<string>): string | null {
  let first = ''
  let count = 0
  for (const path of paths) if (!existsSync(join(outFolder, path)) && count++ === 0) first = path
  if (count === 0) return null
  return count === 1 ? `"${first}" is missing` : `"${first}" and ${count - 1} more of its files are missing`
}
