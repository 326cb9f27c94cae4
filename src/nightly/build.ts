import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '#corpus/problem.ts'
import { readCatalogue, type Catalogue } from '#corpus/read-catalogue.ts'
import { sha256 } from '#kit/digest.ts'
import { releaseNumber } from '#release/paths.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { guardAgainst } from './guards.ts'
import { newLedger, readLedger, type Ledger } from './ledger.ts'
import { lockTree } from './lock.ts'
import { makeRelease } from './make-release.ts'
import { makeSite } from './make-site.ts'
import { planBuild, type Plan } from './plan.ts'
import { nextSeen, readSource, releaseRendered, renderMissing, type SourceTexts } from './read-source.ts'
import { recover } from './recover.ts'
import { readReleaseBefore } from './release-before.ts'
import { writeSeen } from './seen.ts'
import { FirstReject, surveySource, type Survey } from './survey.ts'
import { openWorkshop } from './workshop.ts'

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
    if (lock.tookOver) await recover(options.outFolder)
    return await buildLocked(options)
  } finally {
    await lock.release()
  }
}

async function buildLocked(options: BuildOptions): Promise<BuildSummary> {
  const { catalogue, warnings } = await readSoundCatalogue(options.corpusFolder)
  const ledger = (await readLedger(options.outFolder)) ?? newLedger()
  const before = await readReleaseBefore(options.outFolder, ledger)
  if (before.foreign) takeOver(before.foreign, ledger)
  checkReplaced(options.replace, ledger)
  const tell = options.tell ?? (() => {})
  const workshop = await openWorkshop(options, catalogue, ledger)
  try {
    const texts = await readSource(options.corpusFolder, workshop, tell)
    const survey = surveyOrStop(texts, ledger, options.strict)
    ledger.tree ||= newTreeId(options, survey)
    const plan = planBuild(survey, ledger, before.live, options.replace)
    guard(survey, plan, before.live.size, options)
    const slots = await renderMissing(options.corpusFolder, workshop, plan, tell)
    const dropped = droppedSlots([...slots, ...releaseRendered(texts)], plan)
    const report = { rejected: survey.rejected, kept: plan.kept, warnings }
    const made = await makeRelease({
      options,
      catalogue,
      ledger,
      before,
      workshop,
      plan,
      report,
      dropped,
      tell,
    })
    const seen = nextSeen(texts, workshop)
    if (seen) await writeSeen(options.outFolder, seen)
    const siteFault = options.stageSite ? await makeSite(options.stageSite, made.release) : null
    return {
      ...made,
      siteFault,
      clips: plan.stay.size + plan.publish.size,
      words: [...catalogue.values()].reduce((sum, words) => sum + words.length, 0),
      rejected: survey.rejected.length,
      changed: plan.added.length + plan.replaced.length + plan.withdrawn.length,
      kept: plan.kept.length,
      problems: survey.rejected,
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

/** 128 bits in 22 characters, for they stand in every cursor, whose length is bounded: random, or made from the day and the source. */
function newTreeId({ reproducible, clock }: BuildOptions, survey: Survey): string {
  const source = [String(clock.now()), ...[...survey.accepted.values()].map(({ digest }) => digest)]
  const bits = reproducible ? sha256(source.join('\0')) : randomBytes(16)
  return bits.subarray(0, 16).toString('base64url')
}

function surveyOrStop(texts: SourceTexts, ledger: Ledger, strict: boolean): Survey {
  try {
    return surveySource([...texts.values()].flat(), ledger, strict)
  } catch (error) {
    if (!(error instanceof FirstReject)) throw error
    throw new BuildStopped('a source clip was rejected (--strict): nothing was published', [error.problem])
  }
}

function guard(survey: Survey, plan: Plan, published: number, { maxShrink }: BuildOptions): void {
  const counts = {
    accepted: survey.accepted.size,
    rejected: survey.rejected.length,
    published,
    withdrawn: plan.withdrawn.length,
  }
  const reason = guardAgainst(counts, maxShrink)
  if (reason !== null) throw new BuildStopped(reason, survey.rejected)
}

/** Of the slots of all clips that were rendered, those of clips that are not published. */
function droppedSlots(slots: number[], plan: Plan): Set<number> {
  const dropped = new Set(slots)
  for (const { rendered } of plan.publish.values()) dropped.delete(rendered!.slot)
  return dropped
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
