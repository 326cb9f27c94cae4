import { basename } from 'node:path'
import type { Problem } from '#corpus/problem.ts'
import { ClipFolder } from './clip-folder.ts'
import { languageOfName, sidecarNames } from './file-names.ts'
import type { FoundFile } from './find-files.ts'
import { mergeMetadata, type Metadata } from './metadata.ts'
import { parseFile } from './parse-file.ts'
import { readBytes } from './read-bytes.ts'
import { readSidecars } from './read-metadata.ts'
import { Rejection } from './rejection.ts'
import { renderClip } from './render-clip.ts'
import { toClip } from './to-clip.ts'

export interface ImportOptions {
  /** The folder of the source corpus. */
  corpus: string
  /** Two-letter code: what is spoken in every clip of the run. */
  language: string
  /** What goes before any sidecar. */
  given: Metadata
  /** Replace a clip of the corpus that differs. */
  overwrite: boolean
  /** Told of each rejected file when it is rejected. */
  onProblem(problem: Problem): void
}

export interface ImportReport {
  imported: number
  unchanged: number
  rejected: number
  problems: Problem[]
  /** Cues left out of the clips because they had no text. */
  emptyCues: number
}

/**
 * Makes a clip of each subtitle file and writes it into the corpus. A file that cannot become a clip is reported, the others go on.
 *
 * @throws {Error} the corpus cannot be written
 */
export async function importFiles(
  files: readonly FoundFile[],
  options: ImportOptions,
): Promise<ImportReport> {
  const report: ImportReport = { imported: 0, unchanged: 0, rejected: 0, problems: [], emptyCues: 0 }
  const folder = await ClipFolder.open(options.corpus, options.language)
  const seen = new Map<string, string>()
  for (const file of files) {
    try {
      await importFile(file, options, folder, seen, report)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      const problem = { file: file.shown, reason: error.message }
      report.rejected++
      report.problems.push(problem)
      options.onProblem(problem)
    }
  }
  return report
}

async function importFile(
  file: FoundFile,
  { language, given, overwrite }: ImportOptions,
  folder: ClipFolder,
  seen: Map<string, string>,
  report: ImportReport,
): Promise<void> {
  const name = basename(file.absolute)
  const named = languageOfName(name)
  if (named !== undefined && named !== language)
    throw new Rejection(`its name says language "${named}": import it with --language ${named}`)
  const { cues, emptyCues } = parseFile(await readBytes(file.absolute))
  const metadata = mergeMetadata([given, ...(await readSidecars(file.absolute))])
  const clip = toClip(cues, metadata, language, sidecarNames(name))
  const first = seen.get(clip.videoId)
  if (first !== undefined)
    throw new Rejection(`video ${clip.videoId} comes from ${first} already in this run`)
  const outcome = await folder.write(clip.videoId, renderClip(clip), { overwrite })
  seen.set(clip.videoId, file.shown)
  report[outcome]++
  report.emptyCues += emptyCues
}
