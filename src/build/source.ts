import { listClipFiles, type ClipFile } from '#corpus/clip-files.ts'
import type { State } from '#tree/state.ts'

/** The files of the source, compared with what was read of them last time. */
export interface Source {
  files: ClipFile[]
  /** The ids of the files that were read before, by name. */
  idOf: ReadonlyMap<string, number>
  /** The files that have changed since they were read, or are new. */
  stale: ClipFile[]
  /** When the build began, by the clock of the file system, in nanoseconds since the epoch. */
  startedNs: bigint
}

/**
 * Raised when the rules by which texts are valid, or their digests, change. All of the source is
 * then read again.
 */
export const readingVersion = 2

/**
 * A file that changed less than this before it was read may have changed again within one tick of
 * the clock, which its stamp does not show.
 */
const tickNs = 2_000_000_000n

/** Lists the files of the source without reading them. */
export async function scanSource(corpusFolder: string, state: State, startedNs: bigint): Promise<Source> {
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
  return { files, idOf, stale, startedNs }
}
