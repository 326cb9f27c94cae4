import { listClipFiles, type ClipFile } from '#corpus/clip-files.ts'
import type { State } from '#tree/state.ts'
import type { BuildOptions } from './build-options.ts'

/** The source as it lies there, beside what was read of it the last time. */
export interface Source {
  files: ClipFile[]
  /** The ids of files that were read before, by name. */
  idOf: ReadonlyMap<string, number>
  /** The files that are not as they were read, and have to be read. */
  stale: ClipFile[]
  /** From so many bytes on, threads pay for their start. */
  muchBytes: number
  /** When the build began, by the clock of the file system, in nanoseconds since the epoch. */
  startedNs: bigint
}

/**
 * Raised when texts are taken for sound or faulty by other rules, or digested another way: all of
 * the source is then read once more.
 */
export const readingVersion = 2

/** `muchBytes` where nothing else is said. */
const usuallyMuchBytes = 4 * 1024 * 1024

/**
 * A file changed less than this before it was read may have changed once more within one tick of
 * its clock: its stamp does not tell.
 */
const tickNs = 2_000_000_000n

type SourceOptions = Pick<BuildOptions, 'corpusFolder' | 'muchBytes'>

/** Lists the source; nothing of it is read yet. */
export async function lookAtSource(
  { corpusFolder, muchBytes = usuallyMuchBytes }: SourceOptions,
  state: State,
  startedNs: bigint,
): Promise<Source> {
  const files = await listClipFiles(corpusFolder)
  const last = state.row<{ startedNs: string }>(
    'SELECT startedNs FROM reading WHERE version = ?',
    readingVersion,
  )
  const lastNs = BigInt(last?.startedNs ?? 0)
  const idOf = new Map<string, number>()
  const stamps = new Map<string, string>()
  for (const { id, file, stamp } of state.rows<{ id: number; file: string; stamp: string }>(
    'SELECT id, file, stamp FROM files',
  )) {
    idOf.set(file, id)
    if (last) stamps.set(file, stamp)
  }
  const stale = files.filter(
    ({ file, stamp, changedNs }) => stamps.get(file) !== stamp || changedNs + tickNs >= lastNs,
  )
  return { files, idOf, stale, muchBytes, startedNs }
}

/** Whether reading so many bytes is so much work that threads pay for their start. */
export function isWorthThreads(sizeBytes: number, { muchBytes }: Pick<Source, 'muchBytes'>): boolean {
  return sizeBytes >= muchBytes
}
