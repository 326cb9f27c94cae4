import { basename, dirname, join } from 'node:path'
import { decodeUtf8 } from './decode-utf8.ts'
import { isMetadataName, sidecarNames } from './file-names.ts'
import { parseInfo, parsePlain, type Metadata } from './metadata.ts'
import { exists, readBytes } from './read-bytes.ts'
import { Rejection } from './rejection.ts'

/**
 * What the sidecars beside a subtitle file say, best first. Word timings under a sidecar's name are none.
 *
 * @throws {Rejection} a sidecar that cannot be read
 */
export async function readSidecars(path: string): Promise<Metadata[]> {
  const found: Metadata[] = []
  for (const name of sidecarNames(basename(path))) {
    const sidecar = join(dirname(path), name)
    if (!(await exists(sidecar))) continue
    const metadata = await readSidecar(sidecar)
    if (metadata) found.push(metadata)
  }
  return found
}

async function readSidecar(path: string): Promise<Metadata | null> {
  try {
    const json: unknown = JSON.parse(decodeUtf8(await readBytes(path)))
    if (Array.isArray(json) && !isMetadataName(path)) return null
    return /\.info\.json$/i.test(path) ? parseInfo(json) : parsePlain(json)
  } catch (error) {
    if (error instanceof Rejection) throw new Rejection(`its sidecar ${basename(path)}: ${error.message}`)
    throw new Rejection(`its sidecar ${basename(path)} is no valid JSON: ${(error as Error).message}`)
  }
}
