import { statSync } from 'node:fs'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '#corpus/problem.ts'
import { systemClock } from '#kit/clock.ts'
import { currentPath } from '#release/paths.ts'
import { holdTree } from '#tree/hold-tree.ts'
import type { State } from '#tree/state.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { Night, type Made } from './night.ts'
import type { Kept } from './plan.ts'

export interface BuildSummary {
  release: string
  /** False if the source says nothing new: the previous release stays the last. */
  isNew: boolean
  /** The release in service while a rollback holds, which may differ from `release`; else null. */
  held: string | null
  clips: number
  words: number
  rejected: number
  changed: number
  kept: number
  problems: Problem[]
  warnings: Problem[]
  keptClips: Kept[]
  /** Why the developer site could not be built and stays as it was; else null. */
  siteFault: string | null
}

/**
 * The nightly build: reads the whole source, indexes all of it, writes what is not there yet, and
 * publishes the release in one step at the end.
 *
 * @throws {BuildStopped} the catalogue is broken, or a guard stops the build
 * @throws {TreeLocked} another build is working on the tree
 * @throws {Refused} the ledger of the tree is lost
 */
export async function build(options: BuildOptions): Promise<BuildSummary> {
  const { corpusFolder, outFolder, newTree = false, buildSite } = options
  checkFolder(corpusFolder)
  const work = async (state: State, notes: string[]) => {
    const night = await Night.begin(options, state)
    try {
      const made = await night.run()
      const inService = state.head.release!
      // The time of the pointer says when the last build ended, of an unchanged source too.
      const nowS = systemClock.now() / 1000
      await utimes(join(outFolder, currentPath), nowS, nowS)
      // The release is in service even if its site cannot be built: the previous one then stays.
      const siteFault = await buildSite?.(inService).then(
        () => null,
        (error: Error) => error.message,
      )
      const told = notes.map((reason) => ({ file: outFolder, reason }))
      return toSummary(made, [...told, ...night.notes], state.head.held ? inService : null, siteFault ?? null)
    } finally {
      await night.end()
    }
  }
  return await holdTree(outFolder, work, newTree ? 'begin again' : 'refuse')
}

function toSummary(
  { report, isNew, changed }: Made,
  notes: readonly Problem[],
  held: string | null,
  siteFault: string | null,
): BuildSummary {
  const { release, clips, words, rejected, kept, warnings } = report
  return {
    release,
    isNew,
    held,
    clips,
    words,
    rejected: rejected.length,
    changed,
    kept: kept.length,
    problems: rejected,
    warnings: [...notes, ...warnings],
    keptClips: kept,
    siteFault,
  }
}

function checkFolder(corpusFolder: string): void {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder(corpusFolder)) throw new BuildStopped(`there is no corpus folder "${corpusFolder}"`)
  if (!isFolder(join(corpusFolder, 'catalogue')) && !isFolder(join(corpusFolder, 'clips'))) {
    throw new BuildStopped(`"${corpusFolder}" is not a source corpus: it has neither catalogue/ nor clips/`)
  }
}
