import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { toDate } from '#contract/dates.ts'
import type { Problem } from '#corpus/problem.ts'
import { readCatalogue, type Catalogue } from '#corpus/read-catalogue.ts'
import { missingAnalysers } from '#indexing/version.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { openNamingTables, type NamingTables } from '#release/named-files.ts'
import { cachePath, releaseNumber, reportPath, workPath } from '#release/paths.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import { folderTree, MissingFile } from '#release/tree.ts'
import { readCurrentOrNull } from '#tree/pointer.ts'
import { Refused } from '#tree/refused.ts'
import type { State } from '#tree/state.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { ClipCache } from './clip-cache.ts'
import { contentDigest } from './digests.ts'
import { listSource, type ListedSource } from './fingerprint.ts'
import { guardAgainst } from './guards.ts'
import { indexClips } from './index-clips.ts'
import { listWords } from './list-words.ts'
import { planBuild, type Plan } from './plan.ts'
import { readSource } from './read-source.ts'
import { ReleaseBuilder, type Tables } from './release-builder.ts'
import { readReport, writeReport, type BuildReport } from './report.ts'
import { sealRelease } from './seal-release.ts'
import type { SoundText } from './source-text.ts'
import { surveySource } from './survey.ts'
import { writeSentences } from './write-sentences.ts'
import { WorkerPool } from './worker-pool.ts'

/** From how many bytes of source on threads are started. */
const defaultThreadMinBytes = 4 * 1024 * 1024

/** A release that was made, or that nothing has changed since. */
export interface Made {
  report: BuildReport
  isNew: boolean
  changed: number
}

/** One run of the build, with what it holds open. */
export class Night {
  /** What an operator should know of the last release. */
  readonly notes: Problem[] = []
  readonly #options: BuildOptions
  readonly #state: State
  readonly #workFolder: string
  /** When the build began, by the clock of the file system. */
  readonly #startedNs: bigint
  #pool: WorkerPool | null = null
  #cache: ClipCache | null = null

  private constructor(options: BuildOptions, state: State, workFolder: string, startedNs: bigint) {
    this.#options = options
    this.#state = state
    this.#workFolder = workFolder
    this.#startedNs = startedNs
  }

  static async begin(options: BuildOptions, state: State): Promise<Night> {
    const workFolder = join(options.outFolder, workPath)
    await rm(workFolder, { recursive: true, force: true })
    await mkdir(workFolder, { recursive: true })
    const { ctimeNs } = await stat(workFolder, { bigint: true })
    return new Night(options, state, workFolder, ctimeNs)
  }

  async run(): Promise<Made> {
    const { outFolder, replace } = this.#options
    const before = await this.#openLast()
    checkReplaced(replace, this.#state)
    const source = await listSource(this.#options, this.#startedNs)
    if (
      before &&
      replace !== 'all' &&
      replace.size === 0 &&
      source.fingerprint === this.#state.head.fingerprint
    ) {
      const report = source.fingerprint && readReport(outFolder, before.manifest.release)
      if (report) return { report, isNew: false, changed: 0 }
    }
    this.#state.head.fingerprint = source.fingerprint
    return await this.#make(source, before)
  }

  async end(): Promise<void> {
    this.#cache?.close()
    await this.#pool?.end()
    await rm(this.#workFolder, { recursive: true, force: true })
  }

  /**
   * Opens the last release, with which this one is compared; null if there is none, or if it has
   * lost a file, was altered or is of another format version.
   *
   * @throws {SyntaxError} `current.json` is malformed
   */
  async #openLast(): Promise<NamingTables | null> {
    const { head } = this.#state
    if (head.tree === '') {
      const foreign = await readCurrentOrNull(this.#options.outFolder)
      if (foreign !== null) takeOver(foreign, this.#state)
    }
    if (head.latest === null) return null
    try {
      const last = await openNamingTables(folderTree(this.#options.outFolder), head.latest)
      if (last.manifest.tree === head.tree) return last
      throw new Refused(
        `the ledger of "${this.#options.outFolder}" and release ${head.latest} belong to different trees`,
      )
    } catch (error) {
      if (!(error instanceof MissingFile || error instanceof SyntaxError)) throw error
      const reason = `cannot be opened, so the new one is not compared with it: ${error.message}`
      this.notes.push({ file: `releases/${head.latest}`, reason })
      return null
    }
  }

  /** @throws {BuildStopped} the catalogue is broken, or a guard stops the build */
  async #make(listed: ListedSource, before: NamingTables | null): Promise<Made> {
    const { corpusFolder, outFolder, replace, strict, maxShrink } = this.#options
    const { onProgress = () => {}, threadMinBytes = defaultThreadMinBytes } = this.#options
    const state = this.#state
    const { catalogue, warnings } = await readSoundCatalogue(corpusFolder)
    const pool = (this.#pool = this.#newPool(catalogue))
    if (listed.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) >= threadMinBytes) pool.startThreads()
    const source = await readSource(corpusFolder, listed, pool, onProgress)
    const survey = surveySource(source, state, strict)
    state.head.tree ||= newTreeId(this.#options, source.sound)
    const plan = planBuild({ state, survey, replace, outFolder })
    const reason = guardAgainst(
      {
        accepted: survey.accepted.length,
        rejected: survey.rejected.length,
        published: plan.clips.length - plan.added.length + plan.withdrawn.length,
        withdrawn: plan.withdrawn.length,
        lostCatalogues: (before?.words.languages ?? []).filter(
          (language) => !catalogue.get(language)?.length,
        ),
        corpusFolder,
        outFolder,
      },
      maxShrink,
    )
    if (reason !== null) throw new BuildStopped(reason, survey.rejected)
    const { release, isNew } = await this.#publish(plan, catalogue, before)
    const report: BuildReport = {
      release,
      clips: plan.clips.length,
      words: catalogue.values().reduce((sum, words) => sum + words.length, 0),
      rejected: survey.rejected,
      kept: plan.kept,
      warnings,
    }
    await this.#afterwards(reportPath, () => writeReport(outFolder, report))
    return { report, isNew, changed: plan.added.length + plan.replaced.length + plan.withdrawn.length }
  }

  /**
   * Builds the planned release and seals it. If its content would be that of the last release,
   * nothing is built and that one stays the last.
   */
  async #publish(
    plan: Plan,
    catalogue: Catalogue,
    before: NamingTables | null,
  ): Promise<{ release: string; isNew: boolean }> {
    const state = this.#state
    const isPublished = plan.clips.every(({ text }) => text === null)
    if (before && isPublished && before.manifest.content === contentDigest(catalogue, state)) {
      state.commit()
      return { release: before.manifest.release, isNew: false }
    }
    const { outFolder } = this.#options
    const cache = (this.#cache = ClipCache.open(outFolder))
    const made = await this.#index(plan, catalogue, cache)
    this.#options.onProgress?.({ step: 'sync' })
    const release = await sealRelease({
      options: this.#options,
      workFolder: this.#workFolder,
      catalogue,
      state,
      before,
      content: contentDigest(catalogue, state),
      ...made,
    })
    await this.#afterwards(cachePath, async () => cache.commit())
    return { release, isNew: true }
  }

  /** Writes a file that the published release does not need, such as on a disk that is full. */
  async #afterwards(file: string, write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      const reason = `cannot be written, so the next build takes longer: ${(error as Error).message}`
      this.notes.push({ file, reason })
    }
  }

  /**
   * Publishes and indexes the clips of the plan, and writes the lists of words. What it collects in
   * memory can be freed once it returns the tables.
   */
  async #index(
    plan: Plan,
    catalogue: Catalogue,
    cache: ClipCache,
  ): Promise<{ tables: Tables; sentences: SegmentEntry[] }> {
    const { outFolder, segmentOrdinals, analysers = true, onProgress = () => {} } = this.#options
    const [state, pool] = [this.#state, this.#pool!]
    const builder = new ReleaseBuilder(catalogue, state.head.ordinals, analysers)
    const indexing = { plan, catalogue, hasAnalysers: analysers, state, cache, pool, builder }
    const segments = await indexClips({ ...indexing, segmentOrdinals, onProgress })
    await pool.flush()
    const lists = await listWords(pool, onProgress)
    const { sentences, heard } = await writeSentences(segments, pool)
    onProgress({ step: 'tables' })
    // Threads hold as much memory as the tables need.
    await pool.end()
    // The disk works while the tables are built.
    const syncing = syncFolder(outFolder)
    // Its error is thrown where it is awaited, unless building the tables fails before.
    syncing.catch(() => {})
    const tables: Tables = builder.tables(lists, heard)
    await syncing
    return { tables, sentences }
  }

  #newPool(catalogue: Catalogue): WorkerPool {
    const { corpusFolder, outFolder, urls, clock, segmentOrdinals } = this.#options
    const { threads = availableParallelism() } = this.#options
    const hasAnalysers = this.#options.analysers !== false
    const indexedAt = toDate(clock.now())
    const context = {
      corpusFolder,
      outFolder,
      workFolder: this.#workFolder,
      catalogue,
      urls,
      indexedAt,
      hasAnalysers,
      segmentOrdinals,
    }
    return new WorkerPool(context, threads)
  }
}

/**
 * 128 bits in 22 characters, because cursors hold them and have a bounded length: random, or for a
 * reproducible build made from the time and the source.
 */
function newTreeId({ reproducible, clock }: BuildOptions, texts: readonly SoundText[]): string {
  if (!reproducible) return randomBytes(16).toString('base64url')
  const hash = createHash('sha256').update(String(clock.now()))
  for (const { digest } of texts) hash.update(`\0${digest}`)
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
  const unknown = [...replace].filter((clipId) => !state.published(clipId))
  if (unknown.length > 0) throw new BuildStopped(`cannot replace ${unknown.join(', ')}: never published here`)
}
