import { randomBytes, createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { toDate } from '#contract/dates.ts'
import type { Problem } from '#corpus/problem.ts'
import { readCatalogue, type Catalogue } from '#corpus/read-catalogue.ts'
import { missingAnalysers } from '#indexing/version.ts'
import { releaseNumber, workPath } from '#release/paths.ts'
import { holdTree } from '#tree/hold-tree.ts'
import type { State } from '#tree/state.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { CorruptList } from './corrupt-list.ts'
import { guardAgainst } from './guards.ts'
import { makeRelease } from './make-release.ts'
import { planBuild, type Plan } from './plan.ts'
import { readPreviousRelease, type PreviousRelease } from './previous-release.ts'
import { readSource } from './read-source.ts'
import { scanSource } from './source.ts'
import { surveySource, type Survey } from './survey.ts'
import { WorkerPool } from './worker-pool.ts'

/** From how many bytes of unread source on threads are started. */
const defaultThreadMinBytes = 4 * 1024 * 1024

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
  keptClips: Plan['kept']
  /** Why the developer site could not be built and stays as it was; else null. */
  siteFault: string | null
}

/**
 * The nightly build: reads what is new in a source corpus, builds a release and publishes it in one
 * step at the end.
 *
 * @throws {BuildStopped} the catalogue is broken, or a guard stops the build
 * @throws {TreeLocked} another build is working on the tree
 */
export async function build(options: BuildOptions): Promise<BuildSummary> {
  checkFolder(options.corpusFolder)
  return await holdTree(options.outFolder, async (state, notes) => {
    const summary = await buildOnOrAnew(options, state)
    const warnings = notes.map((reason) => ({ file: options.outFolder, reason }))
    return { ...summary, warnings: [...warnings, ...summary.warnings] }
  })
}

/**
 * Builds on the previous release or, if its lists are damaged, starts from scratch. Nothing is
 * published before the end of a build.
 */
async function buildOnOrAnew(options: BuildOptions, state: State): Promise<BuildSummary> {
  try {
    return await buildHeld(options, state, true)
  } catch (error) {
    if (!(error instanceof CorruptList)) throw error
    state.rollback()
    const summary = await buildHeld(options, state, false)
    const warning = { file: 'data', reason: `all clips were indexed again, because ${error.message}` }
    return { ...summary, warnings: [warning, ...summary.warnings] }
  }
}

async function buildHeld(options: BuildOptions, state: State, isIncremental: boolean): Promise<BuildSummary> {
  const { catalogue, warnings } = await readSoundCatalogue(options.corpusFolder)
  const before = await readPreviousRelease(options.outFolder, state)
  if (before.foreign) takeOver(before.foreign, state)
  checkReplaced(options.replace, state)
  const workFolder = join(options.outFolder, workPath)
  const startedNs = await makeEmpty(workFolder)
  const pool = poolOf(options, catalogue, workFolder)
  try {
    const { survey, plan } = await readAndPlan(options, { state, catalogue, before, pool, startedNs })
    const report = { rejected: survey.rejected, kept: plan.kept, warnings }
    const making = { options, catalogue, state, before, pool, workFolder, isIncremental }
    const made = await makeRelease({ ...making, plan, report })
    const inService = state.head.release!
    // The release is in service even if its site cannot be built: the previous one then stays.
    const siteFault = await options.buildSite?.(inService).then(
      () => null,
      (error: Error) => error.message,
    )
    return {
      ...made,
      held: state.head.held ? inService : null,
      siteFault: siteFault ?? null,
      clips: plan.clips,
      words: [...catalogue.values()].reduce((sum, words) => sum + words.length, 0),
      rejected: survey.rejected.length,
      changed: plan.added.length + plan.replaced.length + plan.withdrawn.length,
      kept: plan.kept.length,
      problems: survey.rejected,
      // Not in the report: that is part of the content of a release, and would change with the next
      // build.
      warnings: before.fault ? [before.fault, ...warnings] : warnings,
      keptClips: plan.kept,
    }
  } finally {
    await pool.end()
    await rm(workFolder, { recursive: true, force: true })
  }
}

/**
 * Makes an empty folder. Returns when it was made, by the clock of the file system, in nanoseconds
 * since the epoch.
 */
async function makeEmpty(folder: string): Promise<bigint> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const { ctimeNs } = await stat(folder, { bigint: true })
  return ctimeNs
}

function poolOf(options: BuildOptions, catalogue: Catalogue, workFolder: string): WorkerPool {
  const { corpusFolder, outFolder, urls, clock, segmentOrdinals, threads = availableParallelism() } = options
  const hasAnalysers = options.analysers !== false
  const indexedAt = toDate(clock.now())
  const indexing = { catalogue, indexedAt, hasAnalysers, segmentOrdinals }
  const context = { corpusFolder, outFolder, workFolder, urls, ...indexing }
  return new WorkerPool(context, threads)
}

/**
 * Reads what is new in the source and plans what to do with every clip.
 *
 * @throws {BuildStopped} a guard stops the build
 */
async function readAndPlan(
  options: BuildOptions,
  {
    state,
    catalogue,
    before,
    pool,
    startedNs,
  }: { state: State; catalogue: Catalogue; before: PreviousRelease; pool: WorkerPool; startedNs: bigint },
): Promise<{ survey: Survey; plan: Plan }> {
  const { corpusFolder, outFolder, replace, onProgress = () => {} } = options
  const { threadMinBytes = defaultThreadMinBytes } = options
  const source = await scanSource(corpusFolder, state, startedNs)
  const staleBytes = source.stale.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (staleBytes >= threadMinBytes) pool.startThreads()
  await readSource(corpusFolder, source, state, pool, onProgress)
  const survey = surveySource(state, options.strict)
  state.head.tree ||= newTreeId(options, state)
  const plan = planBuild({ state, before, survey, replace, outFolder })
  const reason = guardAgainst(
    {
      accepted: plan.accepted,
      rejected: survey.rejected.length,
      published: before.live.count,
      withdrawn: plan.withdrawn.length,
      lostCatalogues: (before.opened?.words.languages ?? []).filter(
        (language) => !catalogue.get(language)?.length,
      ),
      corpusFolder,
      outFolder,
    },
    options.maxShrink,
  )
  if (reason !== null) throw new BuildStopped(reason, survey.rejected)
  if (plan.publishedBytes >= threadMinBytes) pool.startThreads()
  return { survey, plan }
}

/**
 * 128 bits in 22 characters, because cursors hold them and have a bounded length: random, or for a
 * reproducible build made from the time and the source.
 */
function newTreeId({ reproducible, clock }: BuildOptions, state: State): string {
  if (!reproducible) return randomBytes(16).toString('base64url')
  const hash = createHash('sha256').update(String(clock.now()))
  for (const { digest } of state.rows<{ digest: string }>(
    'SELECT t.digest FROM files f JOIN texts t ON t.fileId = f.id WHERE t.reason IS NULL ORDER BY f.file, t.line',
  ))
    hash.update(`\0${digest}`)
  return hash.digest().subarray(0, 16).toString('base64url')
}

/** @throws {BuildStopped} the catalogue is broken, with all its faults */
async function readSoundCatalogue(
  corpusFolder: string,
): Promise<{ catalogue: Catalogue; warnings: Problem[] }> {
  const { catalogue, problems, warnings } = await readCatalogue(corpusFolder)
  if (problems.length === 0) return { catalogue, warnings: [...missingAnalysers(catalogue), ...warnings] }
  throw new BuildStopped(
    `the catalogue is broken in ${problems.length} ${problems.length === 1 ? 'place' : 'places'}: nothing was published`,
    problems,
  )
}

/**
 * The tree of a lost ledger becomes a new one: its releases are numbered on, and none of its names
 * is used again.
 */
function takeOver(foreign: string, { head }: State): void {
  head.releases = releaseNumber(foreign)
  head.inherited = true
}

function checkReplaced(replace: ReadonlySet<string> | 'all', state: State): void {
  if (replace === 'all') return
  const unknown = [...replace].filter((clipId) => !state.entry(clipId))
  if (unknown.length > 0) throw new BuildStopped(`cannot replace ${unknown.join(', ')}: never published here`)
}

function checkFolder(corpusFolder: string): void {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  if (!isFolder(corpusFolder)) throw new BuildStopped(`there is no corpus folder "${corpusFolder}"`)
  if (!isFolder(join(corpusFolder, 'catalogue')) && !isFolder(join(corpusFolder, 'clips'))) {
    throw new BuildStopped(`"${corpusFolder}" is not a source corpus: it has neither catalogue/ nor clips/`)
  }
}
