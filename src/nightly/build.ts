import { statSync } from 'node:fs'
import { join } from 'node:path'
import { holdTree } from '#tree/hold-tree.ts'
import { pointTo } from '#tree/pointer.ts'
import type { State } from '#tree/state.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { Night } from './night.ts'
import { writeCdnHeaders } from './seal-release.ts'
import type { BuildReport } from './report.ts'

export interface BuildSummary extends BuildReport {
  /** False if the source has nothing new: the previous release remains the last. */
  isNew: boolean
  /** The number of clips that are new, replaced or withdrawn. */
  changed: number
  /** The release in service during a rollback, which may differ from `release`; otherwise null. */
  heldRelease: string | null
  /** The reason why the developer site could not be built and did not change; otherwise null. */
  siteFault: string | null
}

/**
 * The nightly build: reads and indexes the whole source, writes what is not there yet, and
 * publishes the release in one step at the end.
 *
 * @throws {BuildStopped} the catalogue is broken, or a guard stops the build
 * @throws {TreeLocked} another build is working on the tree
 * @throws {Refused} the ledger of the tree is lost
 */
export async function build(options: BuildOptions): Promise<BuildSummary> {
  const { corpusFolder, outFolder, newTree = false, buildSite } = options
  checkFolder(corpusFolder)
  const work = async (state: State) => {
    await using night = new Night(options, state)
    const { report, isNew, changed } = await night.run()
    const inService = state.head.release!
    // Written even if the source has not changed, because these files may be lost or damaged, and
    // the time of the pointer says when the last build ended.
    if (!isNew) await writeCdnHeaders(outFolder)
    await pointTo(outFolder, inService, state.head.heldSince)
    // The release is in service even if its site cannot be built; the previous site then stays.
    const siteFault = await buildSite?.(inService).then(
      () => null,
      (error: Error) => error.message,
    )
    const warnings = [...night.notes, ...report.warnings]
    const heldRelease = state.head.heldSince ? inService : null
    return { ...report, warnings, isNew, changed, heldRelease, siteFault: siteFault ?? null }
  }
  return await holdTree(outFolder, work, newTree ? 'begin again' : 'refuse')
}

function checkFolder(corpusFolder: string): void {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder(corpusFolder)) throw new BuildStopped(`there is no corpus folder "${corpusFolder}"`)
  if (!isFolder(join(corpusFolder, 'catalogue')) && !isFolder(join(corpusFolder, 'clips'))) {
    throw new BuildStopped(`"${corpusFolder}" is not a source corpus: it has neither catalogue/ nor clips/`)
  }
}
