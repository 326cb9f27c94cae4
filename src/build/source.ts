import { listClipFiles, type ClipFile } from '#corpus/clip-files.ts'
import type { BuildOptions } from './build-options.ts'
import type { Found } from './found.ts'
import { readSeen, type Seen } from '#tree/seen.ts'

/** The source as it lies there, and what the build before saw of it. */
export interface Source {
  files: ClipFile[]
  seen: Seen
  /** The files that are not as they were seen, and have to be read. */
  stale: ClipFile[]
  /** From so many bytes on, threads pay for their start. */
  muchBytes: number
  /** When the build began, by the clock of the file system, in nanoseconds since the epoch. */
  startedNs: bigint
}

/** `muchBytes` where nothing else is said. */
const usuallyMuchBytes = 4 * 1024 * 1024

/** A file changed less than this before it was read may have changed once more within one tick of its clock: its stamp does not tell. */
const tickNs = 2_000_000_000n

type SourceOptions = Pick<BuildOptions, 'corpusFolder' | 'outFolder' | 'muchBytes'>

/** Lists the source; nothing of it is read yet. */
export async function lookAtSource(
  { corpusFolder, outFolder, muchBytes = usuallyMuchBytes }: SourceOptions,
  startedNs: bigint,
): Promise<Source> {
  const files = await listClipFiles(corpusFolder)
  const seen = await readSeen(outFolder)
  const stale = staleFiles(files, seen)
  return { files, seen, stale, muchBytes, startedNs }
}

/** Whether reading files is so much work that threads pay for their start. */
export function isMuch(files: readonly ClipFile[], { muchBytes }: Pick<Source, 'muchBytes'>): boolean {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) >= muchBytes
}

function staleFiles(files: readonly ClipFile[], { byFile, startedNs }: Seen): ClipFile[] {
  return files.filter(
    ({ file, stamp, changedNs }) => byFile.get(file)?.stamp !== stamp || changedNs + tickNs >= startedNs,
  )
}

/** What the texts of files turned out to be that changed or went, by their digest: some of their texts may stand in the files to be read. */
export function seenTexts({ files, seen, stale }: Source): Map<string, Found> {
  const asSeen = new Set(files.map(({ file }) => file))
  for (const { file } of stale) asSeen.delete(file)
  const texts = new Map<string, Found>()
  for (const [file, { found }] of seen.byFile) {
    if (asSeen.has(file)) continue
    for (const each of found) if (each.raw !== undefined) texts.set(each.raw, each)
  }
  return texts
}
