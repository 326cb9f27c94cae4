import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '#corpus/problem.ts'
import { readCatalogue, type Catalogue } from '#corpus/read-catalogue.ts'
import { releaseNumber, seenPath } from '#release/paths.ts'
import { moveFile } from './aside.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { decide } from './decide.ts'
import { newLedger, readLedger, type Ledger } from '#tree/ledger.ts'
import { lockTree } from '#tree/lock.ts'
import { makeRelease } from './make-release.ts'
import { makeSite } from './make-site.ts'
import type { Plan } from './plan.ts'
import { recover } from '#tree/recover.ts'
import { readReleaseBefore } from './release-before.ts'
import { isSpoiltList } from './spoilt-list.ts'
import { Workshop } from './workshop.ts'

export interface BuildSummary {
  release: string
  /** False where the source says nothing new: the release before stays in service. */
  isNew: boolean
  clips: number
  words: number
  rejected: number
  changed: number
  kept: number
  problems: Problem[]
  warnings: Problem[]
  keptClips: Plan['kept']
  /** Why the developer site could not be made and stays as it was; null where nothing is wrong with it. */
  siteFault: string | null
}

/**
 * The nightly build: reads what is new in a source corpus and publishes the release that it makes, in one step at the end.
 *
 * @throws {BuildStopped} when the catalogue is broken or a guard holds the build back
 * @throws {TreeLocked} when another build is at work on the tree
 */
export async function build(options: BuildOptions): Promise<BuildSummary> {
  await checkFolder(options.corpusFolder)
  const lock = await lockTree(options.outFolder)
  try {
    return await buildOnOrAnew(options, await recover(options.outFolder, lock))
  } finally {
    await lock.release()
  }
}

/** Goes on from the release before, or where its lists are damaged indexes all clips anew: until the end of a build nothing is published. */
async function buildOnOrAnew(options: BuildOptions, ledger: Ledger | null): Promise<BuildSummary> {
  try {
    return await buildLocked(options, { ledger, goOn: true })
  } catch (error) {
    if (!isSpoiltList(error)) throw error
    const summary = await buildLocked(options, { ledger: await readLedger(options.outFolder), goOn: false })
    const warning = { file: 'data/words', reason: `all clips were indexed anew, for ${error.message}` }
    return { ...summary, warnings: [warning, ...summary.warnings] }
  }
}

/** `ledger` is that of the tree, null where it has none: what the build enters in it counts only once it is written. */
async function buildLocked(
  options: BuildOptions,
  { ledger: known, goOn }: { ledger: Ledger | null; goOn: boolean },
): Promise<BuildSummary> {
  const { catalogue, warnings } = await readSoundCatalogue(options.corpusFolder)
  const ledger = known ?? newLedger()
  const before = await readReleaseBefore(options.outFolder, ledger)
  if (before.foreign) takeOver(before.foreign, ledger)
  checkReplaced(options.replace, ledger)
  const tell = options.tell ?? (() => {})
  const workshop = await Workshop.open(options.outFolder)
  try {
    const night = { options, catalogue, warnings, ledger, before, workshop, tell }
    const { plan, report, dropped, seen } = await decide(night)
    const made = await makeRelease({ ...night, plan, report, dropped, goOn })
    if (seen) moveFile(seen, join(options.outFolder, seenPath))
    const siteFault = options.stageSite ? await makeSite(options.stageSite, made.release) : null
    return {
      ...made,
      siteFault,
      clips: plan.stay.size + plan.publish.size,
      words: [...catalogue.values()].reduce((sum, words) => sum + words.length, 0),
      rejected: report.rejected.length,
      changed: plan.added.length + plan.replaced.length + plan.withdrawn.length,
      kept: plan.kept.length,
      problems: report.rejected,
      // Not in the report, which is part of what a release says: it would be another the night after.
      warnings: before.fault ? [before.fault, ...warnings] : warnings,
      keptClips: plan.kept,
    }
  } finally {
    await workshop.close()
  }
}

/** @throws {BuildStopped} with all its faults */
async function readSoundCatalogue(
  corpusFolder: string,
): Promise<{ catalogue: Catalogue; warnings: Problem[] }> {
  const { catalogue, problems, warnings } = await readCatalogue(corpusFolder)
  if (problems.length === 0) return { catalogue, warnings }
  throw new BuildStopped(
    `the catalogue is broken in ${problems.length} ${problems.length === 1 ? 'place' : 'places'}: nothing was published`,
    problems,
  )
}

/** The tree of a lost ledger becomes another: its releases are counted on, and none of its names is given again. */
function takeOver(foreign: string, ledger: Ledger): void {
  ledger.releases = releaseNumber(foreign)
  ledger.inherited = true
}

function checkReplaced(replace: ReadonlySet<string> | 'all', ledger: Ledger): void {
  if (replace === 'all') return
  const unknown = [...replace].filter((clipId) => !ledger.entries.has(clipId))
  if (unknown.length > 0) throw new BuildStopped(`cannot replace ${unknown.join(', ')}: never published here`)
}

async function checkFolder(corpusFolder: string): Promise<void> {
  const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() ?? false
  if (!(await isFolder(corpusFolder))) throw new BuildStopped(`there is no corpus folder "${corpusFolder}"`)
  if (!(await isFolder(join(corpusFolder, 'catalogue'))) && !(await isFolder(join(corpusFolder, 'clips')))) {
    throw new BuildStopped(`"${corpusFolder}" is no source corpus: it has neither catalogue/ nor clips/`)
  }
}
