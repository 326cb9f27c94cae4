import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isInside } from '#kit/walk-folder.ts'
import { holdsTranscript } from '../formats/parse-json.ts'
import { isMetadataName, sidecarNames } from './file-names.ts'
import { parseMetadata, type Metadata } from './metadata.ts'
import { readUtf8 } from '../read-bytes.ts'
import { Rejection } from '../rejection.ts'

/**
 * What the sidecars beside a subtitle file say, best first. Word timings and transcripts with the
 * name of a sidecar do not count.
 *
 * @param folder the real path of the folder that links must not lead out of, if there is one
 * @throws {Rejection} a sidecar cannot be read
 */
export async function readSidecars(path: string, folder?: string): Promise<Metadata[]> {
  const found: Metadata[] = []
  for (const name of sidecarNames(basename(path))) {
    const sidecar = join(dirname(path), name)
    if (!(await isTaken(sidecar, folder))) continue
    const metadata = await readSidecar(sidecar)
    if (metadata) found.push(metadata)
  }
  return found
}

async function isTaken(path: string, folder: string | undefined): Promise<boolean> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isFile() && (folder === undefined || isInside(real, folder))
  } catch {
    return false
  }
}

async function readSidecar(path: string): Promise<Metadata | null> {
  try {
    const json: unknown = JSON.parse(await readUtf8(path))
    // Of `a.srt` and `a.json`, both may be the subtitles.
    if (!isMetadataName(path) && holdsTranscript(json)) return null
    return parseMetadata(json)
  } catch (error) {
    if (error instanceof Rejection) throw new Rejection(`its sidecar ${basename(path)}: ${error.message}`)
    throw new Rejection(`its sidecar ${basename(path)} is not valid JSON: ${(error as Error).message}`)
  }
}
