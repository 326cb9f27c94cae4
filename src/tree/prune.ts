import { rmSync } from 'node:fs'
import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataPath } from '#release/data-path.ts'
import { readReleaseFolders } from '#release/release-ids.ts'
import { findPrunable, type Prunable } from './find-prunable.ts'
import { holdTree } from './hold-tree.ts'
import { readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import type { State } from './state.ts'

export interface PruneOptions {
  outFolder: string
  /**
   * How many releases stay: the one in service and those before it, at least 1. Newer ones, which
   * exist after a rollback, stay too.
   */
  keep: number
  /** Only find; change nothing. */
  dryRun: boolean
  /**
   * Called with what will be deleted, before anything is: an operator whose run is killed still
   * knows all addresses to purge.
   */
  onPlan(pruning: Pruning): void
}

/** What a prune deletes. */
export interface Pruning {
  /** Ids of releases, the oldest first. */
  releases: string[]
  /** Every file, by path from the root of the tree. */
  files: string[]
  /**
   * What to purge from caches, where a clip may stay for a year: the addresses in the API of the
   * records and transcripts that are deleted, by either id, and their files.
   */
  addresses: string[]
  bytes: number
  /** Files under `data/` that no build made. They stay. */
  unknown: string[]
  /** What an operator should know about the clean-up before. */
  notes: string[]
}

/**
 * Deletes old releases, and under `data/` every file that no kept release is served from: records
 * of withdrawn and replaced clips, old word lists and coverage records (contract 3).
 *
 * A crash at any moment leaves whole releases, and the next run deletes the rest.
 *
 * @throws {Refused} a release that is kept cannot be opened, or the ledger is not that of the tree
 * @throws {TreeLocked} a build is working on the tree
 */
export async function prune({ outFolder, keep, dryRun, onPlan }: PruneOptions): Promise<void> {
  // Before the tree is held, because that creates its state if there is none.
  await readCurrent(folderTree(outFolder))
  await holdTree(outFolder, async (state, notes) => {
    const prunable = await findPrunable(outFolder, state, keep)
    const { releases, releaseFiles, dataFiles, unknown, bytes } = prunable
    onPlan({
      releases,
      files: [...releaseFiles, ...dataFiles.map(({ path }) => path)],
      addresses: addressesOf(dataFiles, state),
      bytes,
      unknown,
      notes,
    })
    if (!dryRun) await carryOut(outFolder, state, prunable)
  })
}

function addressesOf(files: readonly DataPath[], state: State): string[] {
  const addresses = new Set<string>()
  for (const file of files) {
    if (!('clipId' in file)) continue
    const { clipId, kind, path } = file
    for (const id of new Set([clipId, state.published(clipId)?.videoId ?? clipId]))
      addresses.add(`/v1/clips/${id}${kind === 'transcript' ? '/transcript' : ''}`)
    addresses.add(`/${path}`)
  }
  return [...addresses].sort()
}

/**
 * The releases go first, each with its manifest first, so that none exists without its files: on a
 * full disk, that makes room for the ledger. The ledger is written before records go: it must not
 * claim one that is gone. The rest need not be recorded, because a name is never used again.
 */
async function carryOut(outFolder: string, state: State, prunable: Prunable): Promise<void> {
  // Synchronously: 15 µs a file, 110 µs by promises, and there is nothing else to do.
  const remove = (path: string) => rmSync(join(outFolder, path), { force: true })
  prunable.releaseFiles.forEach(remove)
  for (const file of prunable.dataFiles)
    if ('clipId' in file)
      state.run('UPDATE clips SET pruned = 1 WHERE clipId = ? AND revision = ?', file.clipId, file.revision)
  state.commit()
  for (const { path } of prunable.dataFiles) remove(path)
  for (const release of await readReleaseFolders(outFolder)) {
    const folder = join(outFolder, 'releases', release)
    if ((await readdir(folder)).length === 0) await rmdir(folder)
  }
}
