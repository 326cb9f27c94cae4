import { basename } from 'node:path'
import type { Level } from '#contract/levels.ts'
import type { SourceClip, SourceCue } from '#corpus/source-clip.ts'
import { CueTally, type TallySummary } from './cue-tally.ts'
import { openClipFolder, type ClipFolder } from './clip-folder.ts'
import { languageOfName, metadataOfName, sidecarNames, silentTrackOfName } from './video/file-names.ts'
import type { FoundFile } from './find-files.ts'
import { completeChannel, mergeMetadata, type Metadata } from './video/metadata.ts'
import type { MetadataTable } from './video/metadata-table.ts'
import { parseFile, type ReadFile } from './formats/parse-file.ts'
import { readBytes } from './read-bytes.ts'
import { readSidecars } from './video/read-metadata.ts'
import { Rejection, Skip, UnknownFormat } from './rejection.ts'
import { toClip } from './to-clip.ts'

/**
 * What became of a file: it is a clip now, was not meant for this run or exists already, or is not
 * fit to be one.
 */
type Outcome = 'imported' | 'skipped' | 'rejected'

/** What became of one file. */
export interface FileReport {
  /** As the user named it. */
  file: string
  outcome: Outcome
  reason?: string
  /** Skipped because the corpus holds the very same clip. */
  unchanged?: true
  videoId?: string
  format?: string
  encoding?: string
  /**
   * The level suggested by the words in the clip (`--suggest-level`), of how many running tokens,
   * and by level the share of them (0 to 1) that a learner knows.
   */
  suggestion?: { level: Level; tokens: number; knownShare: Record<Level, number> }
  /** What became of its cues; absent if none was read. */
  cues?: TallySummary['cues']
  repairs?: TallySummary['repairs']
}

export interface ImportOptions {
  corpus: string
  /** Two-letter code of the language spoken in every clip of the run. */
  language: string
  /** Values from flags, which take precedence over sidecars. */
  given: Metadata
  /** What tables and JSON files say about the videos. Sidecars take precedence. */
  described?: MetadataTable
  /** Parses the names of the files; without it, an id at their end is searched for. */
  namePattern?: RegExp
  /** The encoding of all files; without it, it is detected. */
  encoding?: string
  /** Replace a clip of the corpus that differs. */
  overwrite: boolean
  /** Suggests the level of a clip without one; null if too little is known. */
  suggestLevel?(cues: readonly SourceCue[]): FileReport['suggestion'] | null
  onFile?(file: FileReport): void
}

export interface ImportReport extends TallySummary {
  imported: number
  skipped: number
  rejected: number
  /** How many of those skipped are clips that the corpus holds already. */
  unchanged: number
  files: FileReport[]
}

/** What the files of one run share. */
interface ImportRun extends ImportOptions {
  folder: ClipFolder
  /** By video id, the file that it came from. */
  seen: Map<string, string>
  several: boolean
  /** Of all files. */
  total: CueTally
}

/**
 * Builds a clip of each subtitle file and writes it into the corpus. A file that cannot become a
 * clip is reported, and the others continue.
 *
 * @throws {Error} the corpus cannot be written
 */
export async function importFiles(
  files: readonly FoundFile[],
  options: ImportOptions,
): Promise<ImportReport> {
  const folder = await openClipFolder(options.corpus, options.language)
  const total = new CueTally()
  const run: ImportRun = { ...options, folder, seen: new Map(), several: files.length > 1, total }
  const reports: FileReport[] = []
  for (const file of files) {
    const report = await importFile(file, run)
    reports.push(report)
    options.onFile?.(report)
  }
  const count = (outcome: Outcome) => reports.filter((report) => report.outcome === outcome).length
  return {
    imported: count('imported'),
    skipped: count('skipped'),
    rejected: count('rejected'),
    unchanged: reports.filter((report) => report.unchanged).length,
    ...total.summary(),
    files: reports,
  }
}

async function importFile(file: FoundFile, run: ImportRun): Promise<FileReport> {
  const tally = new CueTally()
  const report: FileReport = { file: file.shown, outcome: 'imported' }
  try {
    const clip = await readClip(file, run, tally, report).catch(rejectOnBug)
    const first = run.seen.get(clip.videoId)
    if (first !== undefined)
      throw new Skip(`video ${clip.videoId} was already imported from ${first} in this run`)
    const written = await run.folder.write(clip, run.overwrite)
    run.seen.set(clip.videoId, file.shown)
    if (written === 'unchanged')
      Object.assign(report, { outcome: 'skipped', reason: 'is already in the corpus', unchanged: true })
  } catch (error) {
    if (!(error instanceof Rejection || error instanceof Skip)) throw error
    const skip = error instanceof Skip || (error instanceof UnknownFormat && file.unsure)
    Object.assign(report, { outcome: skip ? 'skipped' : 'rejected', reason: error.message })
  }
  run.total.add(tally)
  return tally.cuesIn === 0 ? report : { ...report, ...tally.summary() }
}

/** A bug in reading one file must not keep the others from being imported. */
function rejectOnBug(error: Error): never {
  if (error instanceof Rejection || error instanceof Skip) throw error
  throw new Rejection(`cannot be parsed: ${error.message}`)
}

async function readClip(
  file: FoundFile,
  run: ImportRun,
  tally: CueTally,
  report: FileReport,
): Promise<SourceClip> {
  if (file.skip !== undefined) throw new Skip(file.skip)
  const name = basename(file.absolute)
  skipByName(name, run.language)
  const read = parseFile(await readBytes(file.absolute), run.language, tally, run.encoding)
  report.format = read.format
  report.encoding = read.encoding
  const metadata = await metadataOf(file, read, run)
  if (metadata.videoId !== undefined) report.videoId = metadata.videoId
  const suggestion = run.suggestLevel?.(read.cues)
  if (suggestion) {
    report.suggestion = suggestion
    // A given level is never overridden.
    metadata.level ??= suggestion.level
  }
  const usual = sidecarNames(name).filter((sidecar) => !/\.(?:player|innertube)\.json$/.test(sidecar))
  const ways = { sidecars: usual, several: run.several }
  return toClip(read.cues, metadata, run.language, ways, tally)
}

function skipByName(name: string, language: string): void {
  const named = languageOfName(name)
  if (named !== undefined && named !== language)
    throw new Skip(`its name says language "${named}": import it with --language ${named}`)
  const track = silentTrackOfName(name)
  if (track !== undefined) throw new Skip(`is a track of ${track} according to its name, not of speech`)
}

/**
 * For each field the first source that has it: flags, sidecars, the row of a table that names the
 * file, what describes the video by its id, the file itself, its name.
 */
async function metadataOf(file: FoundFile, read: ReadFile, run: ImportRun): Promise<Metadata> {
  const nearest = [run.given, ...(await readSidecars(file.absolute, file.folder))]
  const row = run.described?.ofFile(file.absolute)
  if (row) nearest.push(row)
  const named = metadataOfName(basename(file.absolute), run.namePattern)
  const { videoId } = mergeMetadata([...nearest, read.metadata, named])
  const described = videoId === undefined ? undefined : run.described?.ofVideo(videoId)
  return completeChannel(mergeMetadata([...nearest, described ?? {}, read.metadata, named]))
}
