import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatProblem, type Problem } from '#corpus/problem.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import type { Clock } from '#kit/clock.ts'
import { MissingFile } from '#release/tree.ts'
import { folderTree } from '#release/tree.ts'
import { ClipTable } from '#release/clip-table.ts'
import { openTableOf, readCurrent, readManifest } from '#release/release.ts'
import type { Manifest } from '#release/manifest.ts'
import { WordTable } from '#release/word-table.ts'
import type { UrlTemplates } from '#rendering/clip.ts'
import { guardAgainst } from './guards.ts'
import { newLedger, readLedger, type Ledger } from './ledger.ts'
import { lockTree } from './lock.ts'
import { planBuild, type Plan } from './plan.ts'
import { publishClips } from './publish-clips.ts'
import { recover } from './recover.ts'
import { ReleaseInTheMaking } from './release-in-the-making.ts'
import { sealRelease } from './seal-release.ts'
import { FirstReject, surveySource, type Survey } from './survey.ts'

export interface BuildOptions {
  corpusFolder: string
  outFolder: string
  /** Stop at the first reject. */
  strict: boolean
  /** Clips whose source is to be published anew where it differs. */
  replace: ReadonlySet<string> | 'all'
  /** The share of published clips that may be gone, 0 to 1. */
  maxShrink: number
  urls: UrlTemplates
  clock: Clock
}

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
}

/** The build stopped before anything was published; the message says why, the problems where. */
export class BuildStopped extends Error {
  override name = 'BuildStopped'
  readonly problems: readonly Problem[]
  constructor(message: string, problems: readonly Problem[] = []) {
    super(message)
    this.problems = problems
  }
}

/**
 * The nightly build: reads a source corpus and publishes the release that it makes, in one step at the end.
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
  const { catalogue, problems, warnings } = await readCatalogue(options.corpusFolder)
  if (problems.length > 0) {
    throw new BuildStopped(
      `the catalogue is broken in ${problems.length} ${problems.length === 1 ? 'place' : 'places'}: nothing was published`,
      problems,
    )
  }
  const ledger = (await readLedger(options.outFolder)) ?? newLedger(randomUUID())
  const before = await readReleaseBefore(options.outFolder, ledger)
  checkReplaced(options.replace, ledger)
  const survey = await survey_(options, ledger)
  const plan = planBuild(survey, ledger, before.live, options.replace)
  guard(survey, plan, before.live.size, options)

  const making = new ReleaseInTheMaking(catalogue, join(options.outFolder, `.spool-${process.pid}`))
  try {
    await publishClips(options, plan, ledger, making)
    const report = { rejected: survey.rejected, kept: plan.kept, warnings }
    const sealed = await sealRelease({ options, ledger, before, plan, making, report })
    return {
      ...sealed,
      clips: making.clipCount,
      words: making.wordCount,
      rejected: survey.rejected.length,
      changed: plan.added.length + plan.replaced.length + plan.withdrawn.length,
      kept: plan.kept.length,
      problems: survey.rejected,
      warnings,
      keptClips: plan.kept,
    }
  } finally {
    await making.cleanUp()
  }
}

/** What the tree has in service. */
export interface ReleaseBefore {
  manifest: Manifest | null
  live: ReadonlySet<string>
  words: WordTable | null
}

const nothingBefore: ReleaseBefore = { manifest: null, live: new Set(), words: null }

async function readReleaseBefore(outFolder: string, ledger: Ledger): Promise<ReleaseBefore> {
  const tree = folderTree(outFolder)
  try {
    const manifest = await readManifest(tree, await readCurrent(tree))
    if (manifest.tree !== ledger.tree) return nothingBefore
    const clips = await openTableOf(tree, manifest, 'clips.bin', ClipTable)
    const words = await openTableOf(tree, manifest, 'words.bin', WordTable)
    return { manifest, live: new Set(clips.liveRows().map((row) => clips.clipId(row))), words }
  } catch (error) {
    if (error instanceof MissingFile) return nothingBefore
    throw error
  }
}

async function survey_({ corpusFolder, strict }: BuildOptions, ledger: Ledger): Promise<Survey> {
  try {
    return await surveySource(corpusFolder, ledger, strict)
  } catch (error) {
    if (!(error instanceof FirstReject)) throw error
    throw new BuildStopped(`a source clip was rejected (--strict): nothing was published`, [error.problem])
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

/** The problems as lines for a person. */
export function describeProblems(problems: readonly Problem[]): string[] {
  return problems.map(formatProblem)
}
