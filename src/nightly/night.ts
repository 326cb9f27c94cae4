import { createHash, randomBytes } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { toDate } from '#contract/dates.ts'
import type { Problem } from '#corpus/problem.ts'
import { readCatalogue, type Catalogue } from '#corpus/read-catalogue.ts'
import { countText } from '#kit/count-text.ts'
import { makeFolder } from '#kit/make-folder.ts'
import { UnreadableVersion } from '#kit/stored-format.ts'
import { missingAnalysers } from './index/version.ts'
import type { Manifest } from '#release/manifest.ts'
import { compareWithLimits, countFiles, type LimitedSizes } from '#release/limits.ts'
import { openNamingTables, type NamingTables } from '#release/named-files.ts'
import { cachePath, releaseNumber, reportPath, workPath } from '#release/paths.ts'
import { readReleaseFolders } from '#release/release-ids.ts'
import { segmentOrdinals as defaultSegmentOrdinals } from '#release/sentences/layout.ts'
import { FolderTree, MissingFile } from '#release/tree.ts'
import { readCurrentOrNull } from '#tree/pointer.ts'
import { Refused } from '#tree/refused.ts'
import type { State } from '#tree/state.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { ClipCache } from './clip-cache.ts'
import { contentDigest, listSource, type ListedSource } from './digests.ts'
import { findDamage, findDamagedTranscripts, type Damage } from './find-damage.ts'
import { guardAgainst } from './guards.ts'
import { buildRelease } from './build-release.ts'
import { planBuild, type Plan } from './plan.ts'
import { isPublishedNow } from './planned-clip.ts'
import { readSource } from './read-source.ts'
import { readReport, writeReport, type BuildReport } from './report.ts'
import { sealRelease } from './seal-release.ts'
import type { SoundText } from './source-text.ts'
import { surveySource } from './survey.ts'
import { WorkerPool } from './worker-pool.ts'

/** The size of a source, in bytes, from which on threads are started. */
const defaultThreadMinBytes = 4 * 1024 * 1024

/** The last release, and the languages of its words. */
type LastRelease = Manifest & { languages: readonly string[] }

/** One run of the build, with the resources that it holds open. */
export class Night implements AsyncDisposable {
  /** Notes for the operator about the last release. */
  readonly notes: Problem[] = []
  readonly #options: BuildOptions
  readonly #state: State
  readonly #workFolder: string
  #damage: Damage = { records: [], transcripts: new Map(), others: [] }
  #pool: WorkerPool | null = null
  #cache: ClipCache | null = null

  constructor(options: BuildOptions, state: State) {
    this.#options = options
    this.#state = state
    this.#workFolder = join(options.outFolder, workPath)
  }

  /** Makes a release, or finds that nothing has changed since the last one. */
  async run() {
    const outcome = await this.#run()
    await this.#repairHeld()
    const clockFile = join(this.#workFolder, 'clock')
    await writeFile(clockFile, '')
    this.#state.head.soundMs = (await stat(clockFile)).ctimeMs
    this.#state.commit()
    return outcome
  }

  async #run() {
    const { outFolder, replace } = this.#options
    const { head } = this.#state
    await rm(this.#workFolder, { recursive: true, force: true })
    makeFolder(this.#workFolder)
    const { ctimeNs: startedNs } = await stat(this.#workFolder, { bigint: true })
    const before = await this.#openLast()
    const { records, transcripts, others } = this.#damage
    this.#reportRepair([...records, ...transcripts.values(), ...others])
    checkReplaced(replace, this.#state)
    const source = await listSource(this.#options, startedNs)
    if (
      before &&
      !isDamaged(this.#damage) &&
      replace !== 'all' &&
      replace.size === 0 &&
      source.fingerprint === head.fingerprint
    ) {
      const report = source.fingerprint && readReport(outFolder, before.release)
      if (report) return { report, isNew: false, changed: 0 }
    }
    head.fingerprint = source.fingerprint
    return await this.#make(source, before)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cache?.close()
    await this.#pool?.end()
    await rm(this.#workFolder, { recursive: true, force: true })
  }

  /**
   * Opens the last release and finds its damage; null if there is none, or if a table of it cannot
   * be opened. Its tables are opened again once the new release is compared with it, so that memory
   * does not hold them in between.
   *
   * @throws {SyntaxError} `current.json` is malformed
   * @throws {UnreadableVersion} it has a version that this program does not read
   */
  async #openLast(): Promise<LastRelease | null> {
    const { head } = this.#state
    const { outFolder, replace } = this.#options
    if (head.tree === '') {
      const current = await readCurrentOrNull(outFolder)
      const ids = [...(current === null ? [] : [current]), ...(await readReleaseFolders(outFolder))]
      // A tree with a lost ledger becomes a new one. Its release numbers continue, so that none of
      // its names is used again.
      if (ids.length > 0 || this.#options.newTree)
        Object.assign(head, { releases: Math.max(0, ...ids.map(releaseNumber)), inherited: true })
    }
    if (head.latest === null) return null
    try {
      const last = await openNamingTables(new FolderTree(outFolder), head.latest)
      if (last.manifest.tree !== head.tree)
        throw new Refused(
          `the ledger of "${outFolder}" and release ${head.latest} belong to different trees. Restore both from the same backup`,
        )
      this.#damage = this.#findDamage(last)
      return { ...last.manifest, languages: last.words.languages }
    } catch (error) {
      const isLost = error instanceof MissingFile || error instanceof SyntaxError
      if (!isLost || error instanceof UnreadableVersion) throw error
      const reason = `cannot be opened, so the new release is not compared with it: ${error.message}`
      this.notes.push({ file: `releases/${head.latest}`, reason })
      this.#damage.transcripts = findDamagedTranscripts(
        outFolder,
        this.#state.live(),
        replace,
        head.soundMs ?? 0,
      )
      return null
    }
  }

  #findDamage(tables: NamingTables, soundMs = this.#state.head.soundMs ?? 0): Damage {
    return findDamage(this.#options.outFolder, this.#workFolder, tables, soundMs)
  }

  #reportRepair(files: readonly string[]): void {
    const reason = 'the file was lost or damaged, and has been written again'
    for (const file of files) this.notes.push({ file, reason })
  }

  /** @throws {BuildStopped} the catalogue is broken, or a guard stops the build */
  async #make(listing: ListedSource, before: LastRelease | null) {
    const { corpusFolder, outFolder } = this.#options
    const { catalogue, warnings } = await readSoundCatalogue(corpusFolder)
    const pool = (this.#pool = this.#newPool(catalogue, listing))
    const { plan, rejected, words } = await this.#plan(listing, pool, before)
    const clips = plan.clips.length
    const { release, isNew } = await this.#publish(plan, pool, before)
    const report: BuildReport = { release, clips, words, rejected, kept: plan.kept, warnings }
    await this.#afterwards(reportPath, () => writeReport(outFolder, report))
    return { report, isNew, changed: plan.addedCount + plan.replacedCount + plan.withdrawn }
  }

  /**
   * Reads the source, and plans what to do with it. Afterwards, only the plan and the rejected
   * clips stay in memory.
   */
  async #plan(listing: ListedSource, pool: WorkerPool, before: LastRelease | null) {
    const { corpusFolder, outFolder, replace, strict, maxShrink, onProgress } = this.#options
    const { catalogue } = pool.context
    const state = this.#state
    const source = await readSource(corpusFolder, listing, pool, onProgress)
    // There may be millions of names, and they are no longer needed.
    listing.files.length = 0
    const survey = surveySource(source, state, strict)
    state.head.tree ||= newTreeId(this.#options, source.sound, state.head.releases)
    const plan = planBuild(survey, state, replace, outFolder, this.#damage.transcripts)
    const counts = {
      acceptedCount: survey.acceptedTexts.length,
      rejectedCount: survey.rejected.length,
      publishedCount: plan.clips.length - plan.addedCount + plan.withdrawn,
      withdrawn: plan.withdrawn,
      lostCatalogues: before?.languages.filter((language) => !catalogue.get(language)?.length) ?? [],
    }
    const reason = guardAgainst({ ...counts, corpusFolder, outFolder }, maxShrink)
    if (reason !== null) throw new BuildStopped(reason, survey.rejected)
    // Checked before the clips are indexed, which may take hours.
    const words = catalogue.values().reduce((sum, { length }) => sum + length, 0)
    this.#stopBeyondLimits(sizesOf(plan.clips.length, state, words, 0))
    return { plan, rejected: survey.rejected, words }
  }

  /**
   * Builds the planned release and seals it. If its content would equal that of the last release,
   * that one stays the last, and the build only rewrites its damaged files.
   */
  async #publish(plan: Plan, pool: WorkerPool, last: LastRelease | null) {
    const { outFolder, clock, onProgress } = this.#options
    const { context } = pool
    const state = this.#state
    const isSame =
      last?.content === contentDigest(context.catalogue, state) && !plan.clips.some(isPublishedNow)
    if (isSame && !isDamaged(this.#damage)) return { release: last.release, isNew: false }
    const cache = (this.#cache = new ClipCache(outFolder))
    const clipCount = plan.clips.length
    const parts = await buildRelease({ plan, state, cache, pool, onProgress })
    const pageCount = parts.words.reduce((sum, { list }) => sum + (list?.pages.length ?? 0), 0)
    this.#checkLimits(sizesOf(clipCount, state, parts.words.length, pageCount))
    onProgress?.({ step: 'sync' })
    if (isSame) {
      await this.#checkRepair(last.release)
      await this.#afterwards(cachePath, async () => cache.commit())
      return { release: last.release, isNew: false }
    }
    const content = contentDigest(context.catalogue, state)
    const builtAtMs = clock.now()
    const before = last && (await openNamingTables(new FolderTree(outFolder), last.release))
    const checkLimits = this.#checkLimits
    const release = await sealRelease({ context, builtAtMs, state, before, content, parts, checkLimits })
    await this.#afterwards(cachePath, async () => cache.commit())
    return { release, isNew: true }
  }

  /** @throws {BuildStopped} a size exceeds its limit */
  #stopBeyondLimits(sizes: LimitedSizes) {
    const findings = compareWithLimits(sizes, this.#options.limits)
    const excess = findings.find(({ isExceeded }) => isExceeded)
    if (!excess) return findings
    const problems = [{ file: excess.place, reason: excess.reason }]
    throw new BuildStopped('the release would exceed a limit. Nothing was published', problems)
  }

  /** Notes the sizes that are near their limits. @throws {BuildStopped} as `#stopBeyondLimits` */
  readonly #checkLimits = (sizes: LimitedSizes): void => {
    for (const { place, reason } of this.#stopBeyondLimits(sizes)) this.notes.push({ file: place, reason })
  }

  /**
   * Rewrites the records of the release that a rollback keeps in service. The release was complete
   * when the rollback began.
   *
   * @throws {BuildStopped} another file of it is damaged
   */
  async #repairHeld(): Promise<void> {
    const { heldSince, release, latest, soundMs = 0 } = this.#state.head
    if (heldSince === undefined || release === null || release === latest) return
    await this.#checkRepair(release, Math.min(soundMs, Date.parse(heldSince)))
  }

  /** Rewrites damaged records. @throws {BuildStopped} another file of the release is damaged */
  async #checkRepair(release: string, soundMs?: number): Promise<void> {
    const { outFolder } = this.#options
    const tables = await openNamingTables(new FolderTree(outFolder), release)
    const damage = this.#findDamage(tables, soundMs)
    this.#reportRepair(damage.records)
    const [path] = [...damage.transcripts.values(), ...damage.others]
    if (path !== undefined)
      throw new BuildStopped(
        `"${path}" is lost or damaged, and the build cannot write it again. Copy it from a backup or from the place where the tree is published`,
      )
  }

  /** Writes a file that no release needs, and ignores errors, such as a full disk. */
  async #afterwards(file: string, write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (error) {
      const reason = `cannot be written, so the next build will take longer: ${(error as Error).message}`
      this.notes.push({ file, reason })
    }
  }

  #newPool(catalogue: Catalogue, { files }: ListedSource): WorkerPool {
    const { outFolder, urls, clock, analysers = true, threads = availableParallelism() } = this.#options
    const { segmentOrdinals = defaultSegmentOrdinals, threadMinBytes = defaultThreadMinBytes } = this.#options
    const pool = new WorkerPool({
      outFolder,
      workFolder: this.#workFolder,
      catalogue,
      urls,
      indexedAt: toDate(clock.now()),
      hasAnalysers: analysers,
      segmentOrdinals,
    })
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
    if (sizeBytes >= threadMinBytes) pool.startThreads(threads, sizeBytes)
    return pool
  }
}

/**
 * Returns 128 bits in 22 characters, because cursors contain them and have a bounded length. They
 * are random or, for a reproducible build, derived from the time, the source, and the number of
 * releases of an earlier tree, whose id must differ.
 */
function newTreeId({ reproducible, clock }: BuildOptions, texts: readonly SoundText[], releases: number) {
  if (!reproducible) return randomBytes(16).toString('base64url')
  const hash = createHash('sha256').update(String(clock.now()))
  for (const { digest } of texts) hash.update(`\0${digest}`)
  if (releases > 0) hash.update(`\0${releases}`)
  return hash.digest().subarray(0, 16).toString('base64url')
}

/** @throws {BuildStopped} the catalogue is broken, with all its faults */
async function readSoundCatalogue(corpusFolder: string) {
  const { catalogue, problems, warnings } = await readCatalogue(corpusFolder)
  if (problems.length === 0) return { catalogue, warnings: [...missingAnalysers(catalogue), ...warnings] }
  const errors = countText(problems.length, 'error')
  throw new BuildStopped(`the catalogue has ${errors}. Nothing was published`, problems)
}

/** Returns the sizes of a release, given the number of pages of its word lists. */
function sizesOf(clipCount: number, { head }: State, words: number, pageCount: number): LimitedSizes {
  const clipRows = Object.values(head.ordinals).reduce((sum, count) => sum + count, 0)
  return { files: countFiles(clipCount, pageCount), clipRows, words }
}

function isDamaged({ transcripts, others }: Damage): boolean {
  return transcripts.size > 0 || others.length > 0
}

function checkReplaced(replace: ReadonlySet<string> | 'all', state: State): void {
  if (replace === 'all') return
  const unknownIds = [...replace].filter((clipId) => !state.publishedClip(clipId))
  if (unknownIds.length > 0)
    throw new BuildStopped(`cannot replace ${unknownIds.join(', ')}: no such clip was ever published here`)
}
