import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isInside } from '#kit/walk-folder.ts'
import { holdsTranscript } from '../formats/parse-json.ts'
import { readJson } from '../read-bytes.ts'
import { Rejection } from '../rejection.ts'
import { isMetadataName, sidecarNames } from './file-names.ts'
import { parseMetadata, type Metadata } from './metadata.ts'

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
    try {
      const json = await readJson(sidecar)
      // Of `a.srt` and `a.json`, both may be the subtitles.
      if (isMetadataName(name) || !holdsTranscript(json)) found.push(parseMetadata(json))
    } catch (error) {
      throw new Rejection(`its sidecar ${name}: ${(error as Error).message}`)
    }
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
