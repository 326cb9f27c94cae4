import { basename } from 'node:path'
import type { Level } from '#contract/levels.ts'
import type { SourceCue } from '../source-clip.ts'
import { CueTally } from './cue-tally.ts'
import { clipWriter } from './clip-folder.ts'
import { readSidecars, type FoundFile } from './find-files.ts'
import { parseFile } from './formats/parse-file.ts'
import { readBytes } from './read-bytes.ts'
import { Rejection, Skip, UnknownFormat } from './rejection.ts'
import { toClip } from './to-clip.ts'
import { addTranslations, findTranslations, translatedFile, type TranslationCounts } from './translations.ts'
import { languageOfName, metadataOfName, silentTrackOfName } from './video/file-names.ts'
import { mergeMetadata, type Metadata } from './video/metadata.ts'
import type { Descriptions } from './video/metadata-table.ts'

export interface FileReport {
  /** The name that the user gave. */
  file: string
  /** Imported; skipped, because it exists or was not meant for this run; or unsuitable. */
  outcome: 'imported' | 'skipped' | 'rejected'
  reason?: string
  /** Skipped because the corpus contains the same clip. */
  unchanged?: true
  videoId?: string
  format?: string
  encoding?: string
  language?: string
  /** Whether every cue has times for its words. */
  wordTiming?: 'measured' | 'interpolated'
  /** The first lines of speech, in a dry run. */
  firstLines?: string[]
  /**
   * The level that the words of the clip suggest (`--suggest-level`), the number of running tokens,
   * and for each level the share of them (0 to 1) that a learner knows.
   */
  suggestion?: { level: Level; tokens: number; knownShare: Record<Level, number> }
  /** The outcome of its translations, keyed by language. */
  translations?: Record<string, TranslationCounts>
  /** The outcome of its cues; absent if none were read. */
  cues?: CueTally['cues']
  repairs?: CueTally['repairs']
}

export interface ImportOptions {
  corpus: string
  /** Two-letter code of the language spoken in every clip of the run. */
  language: string
  /** Values from flags, which take precedence over sidecars. */
  flagValues: Metadata
  /** The descriptions of videos in tables and JSON files. Sidecars take precedence. */
  descriptions: Descriptions
  /** Parses the names of the files. Without it, an id is searched for at their end. */
  namePattern?: RegExp | undefined
  /** The encoding of all files; by default it is detected. */
  encoding?: string | undefined
  /** The languages of subtitle files that translate others beside them. */
  translations?: readonly string[]
  /** Whether to replace a clip of the corpus that differs. */
  overwrite: boolean
  isDryRun?: boolean | undefined
  /** Suggests the level of a clip without one; null if too little is known. */
  suggestLevel?: ((cues: readonly SourceCue[]) => FileReport['suggestion'] | null) | undefined
  onFile?(file: FileReport): void
}

export type ImportReport = Awaited<ReturnType<typeof importFiles>>

/**
 * Builds a clip from each subtitle file and writes it into the corpus. A file that cannot become a
 * clip is reported, and the others continue.
 *
 * @throws {Error} the corpus cannot be written
 */
export async function importFiles(files: readonly FoundFile[], options: ImportOptions) {
  const writeClip = await clipWriter(options.corpus, options.language)
  /** The source file of each video, keyed by video id. */
  const pathsByVideo = new Map<string, string>()
  const total = new CueTally()
  const reports: FileReport[] = []
  /** The number of files by outcome; `unchanged` ones also count as skipped. */
  const counts = { imported: 0, skipped: 0, rejected: 0, unchanged: 0 }
  for (const file of files) {
    const report = await importFile(file)
    counts[report.outcome]++
    if (report.unchanged) counts.unchanged++
    reports.push(report)
    options.onFile?.(report)
  }
  return { ...counts, ...total, files: reports }

  async function importFile(file: FoundFile): Promise<FileReport> {
    const tally = new CueTally()
    const report: FileReport = { file: file.shownPath, outcome: 'imported' }
    try {
      const clip = await readClip(file, options, files.length > 1, tally, report).catch(rejectOnBug)
      const first = pathsByVideo.get(clip.videoId)
      if (first !== undefined)
        throw new Skip(
          `belongs to the video ${clip.videoId}, which was already imported from ${first} in this run`,
        )
      const outcome = await writeClip(clip, options)
      pathsByVideo.set(clip.videoId, file.shownPath)
      if (outcome === 'unchanged')
        Object.assign(report, { outcome: 'skipped', reason: 'is already in the corpus', unchanged: true })
    } catch (error) {
      if (!(error instanceof Rejection || error instanceof Skip)) throw error
      const skip = error instanceof Skip || (error instanceof UnknownFormat && file.unsure)
      Object.assign(report, { outcome: skip ? 'skipped' : 'rejected', reason: error.message })
    }
    total.add(tally)
    return tally.cues.in === 0 ? report : { ...report, ...tally }
  }
}

/** A bug in reading one file must not keep the others from being imported. */
function rejectOnBug(error: Error): never {
  const isExpected = error instanceof Rejection || error instanceof Skip
  throw isExpected ? error : new Rejection(`cannot be parsed: ${error.message}`)
}

const firstLineCount = 3

/** Reads a file as a clip. Fills in `tally` and `report`. */
async function readClip(
  file: FoundFile,
  options: ImportOptions,
  isOneOfSeveral: boolean,
  tally: CueTally,
  report: FileReport,
) {
  const { language } = options
  if (file.skip !== undefined) throw new Skip(file.skip)
  const name = basename(file.absolute)
  const nameLanguage = languageOfName(name)
  const isTranslation =
    nameLanguage !== undefined && nameLanguage !== language && options.translations?.includes(nameLanguage)
  const translatedName = isTranslation ? await translatedFile(file.absolute, language) : undefined
  if (translatedName !== undefined) throw new Skip(`is a translation of ${translatedName}`)
  if (nameLanguage !== undefined && nameLanguage !== language)
    throw new Skip(`is in "${nameLanguage}" according to its name. Import it with --language ${nameLanguage}`)
  const track = silentTrackOfName(name)
  if (track !== undefined) throw new Skip(`is a ${track} track, not speech, according to its name`)
  const parsedFile = parseFile(await readBytes(file.absolute), language, tally, options.encoding)
  const isMeasured = parsedFile.cues.every((cue) => cue.words !== undefined)
  Object.assign(report, {
    format: parsedFile.format,
    encoding: parsedFile.encoding,
    language,
    wordTiming: isMeasured ? 'measured' : 'interpolated',
  })
  if (options.isDryRun) report.firstLines = parsedFile.cues.slice(0, firstLineCount).map(({ text }) => text)
  const metadata = await metadataOf(file, parsedFile.metadata, options)
  if (metadata.videoId !== undefined) report.videoId = metadata.videoId
  const suggestion = options.suggestLevel?.(parsedFile.cues)
  if (suggestion) report.suggestion = suggestion
  // A given level is never overridden.
  const metadataWithLevel = mergeMetadata([metadata, suggestion ? { level: suggestion.level } : {}])
  const clip = toClip(parsedFile.cues, metadataWithLevel, { name, language, isOneOfSeveral }, tally)
  return { ...clip, cues: await translate(clip.cues, file, options, report) }
}

/** Returns the cues with the translations beside the file, and reports the outcome in `report`. */
async function translate(
  cues: readonly SourceCue[],
  { absolute }: FoundFile,
  { language: spokenLanguage, translations: wantedLanguages = [], encoding }: ImportOptions,
  report: FileReport,
): Promise<SourceCue[]> {
  let translatedCues = [...cues]
  const languages = wantedLanguages.filter((code) => code !== spokenLanguage)
  const paths = languages.length === 0 ? new Map() : await findTranslations(absolute, languages)
  for (const [language, path] of paths as Map<string, string>) {
    report.translations ??= {}
    try {
      const parsedFile = parseFile(await readBytes(path), language, new CueTally(), encoding)
      const { cues: next, counts } = addTranslations(translatedCues, parsedFile.cues, language)
      translatedCues = next
      report.translations[language] = counts
    } catch (error) {
      if (!(error instanceof Rejection || error instanceof Skip)) throw error
      report.translations[language] = { cues: 0, leftOut: 0, reason: error.message }
    }
  }
  return translatedCues
}

/**
 * Returns each field from the first source that has it: flags, sidecars, the row of a table that
 * names the file, descriptions of the video by its id, the file itself, and its name.
 */
async function metadataOf({ absolute, folder }: FoundFile, fileMetadata: Metadata, options: ImportOptions) {
  const { flagValues, descriptions, namePattern } = options
  const nearest = [flagValues, ...(await readSidecars(absolute, folder)), descriptions.ofFile(absolute)]
  const ownMetadata = [fileMetadata, metadataOfName(basename(absolute), namePattern)]
  const { videoId } = mergeMetadata([...nearest, ...ownMetadata])
  return mergeMetadata([...nearest, descriptions.ofVideo(videoId), ...ownMetadata])
}
