import { rmSync } from 'node:fs'
import { readdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readReleaseFolders } from '#release/release-ids.ts'
import { findPrunable, type Prunable } from './find-prunable.ts'
import { holdTree } from './hold-tree.ts'
import { writeLedger } from './ledger.ts'

export interface PruneOptions {
  outFolder: string
  /** How many releases stay: that in service and those before it; at least 1. Newer ones, there after a rollback, stay too. */
  keep: number
  /** Find only; change nothing. */
  dryRun: boolean
  /** Told what goes before anything does: who is killed in between still knows all addresses to purge. */
  tell(pruning: Pruning): void
}

/** What a prune deletes. */
export interface Pruning {
  /** Ids of releases, the oldest first. */
  releases: string[]
  /** Every file, by path from the root of the tree: the addresses to purge from caches. */
  files: string[]
  bytes: number
  /** Files under `data/` that no build made: they stay. */
  unknown: string[]
}

/**
 * Deletes old releases, and under `data/` every file that no kept release is served from: records of withdrawn and replaced clips, word lists and coverage
 * records of former nights (contract 3).
 *
 * A crash at any moment leaves whole releases, and running it again deletes the rest.
 *
 * @throws {Refused} a release that is kept cannot be opened, or the ledger is not that of the tree
 * @throws {TreeLocked} a build is at work on the tree
 */
export async function prune({ outFolder, keep, dryRun, tell }: PruneOptions): Promise<void> {
  await holdTree(outFolder, async () => {
    const prunable = await findPrunable(outFolder, keep)
    const { releases, releaseFiles, dataFiles, unknown, bytes } = prunable
    tell({ releases, files: [...releaseFiles, ...dataFiles.map(({ path }) => path)], bytes, unknown })
    if (!dryRun) await carryOut(outFolder, prunable)
  })
}

/**
 * The ledger first: it must not claim a record that is gone. Then each release with its manifest first: none is ever there without its files. A name is never given
 * twice, so nothing has to be remembered of the rest.
 */
async function carryOut(outFolder: string, prunable: Prunable): Promise<void> {
  if (notePruned(prunable)) await writeLedger(outFolder, prunable.ledger)
  // Synchronously: 15 µs a file, 110 µs by promises, and there is nothing else to do.
  for (const path of [...prunable.releaseFiles, ...prunable.dataFiles.map(({ path }) => path)])
    rmSync(join(outFolder, path), { force: true })
  for (const release of await readReleaseFolders(outFolder))
    await removeEmpty(join(outFolder, 'releases', release))
}

async function removeEmpty(folder: string): Promise<void> {
  if ((await readdir(folder)).length === 0) await rmdir(folder)
}

/** Notes in the ledger which clips have lost their latest record. Gives whether it did not say so before. */
function notePruned({ ledger, dataFiles }: Prunable): boolean {
  let isNews = false
  for (const file of dataFiles) {
    if (file.kind !== 'clip' && file.kind !== 'transcript') continue
    const entry = ledger.entries.get(file.clipId)
    if (entry?.revision !== file.revision || entry.pruned) continue
    entry.pruned = true
    isNews = true
  }
  return isNews
}
