import { nameDigest } from '#kit/digest.ts'
import type { Manifest } from '#release/manifest.ts'
import { corpusPath, releaseId, releaseNumber, releasePath } from '#release/paths.ts'
import type { CheckedFiles } from './checked-files.ts'

/** Holds what a release says beside its tables against names: the coverage record, and the id that tells the content; what is for people must be JSON, and speak of the release. */
export function verifyContent(files: CheckedFiles, manifest: Manifest): void {
  const { release, content, corpus } = manifest
  if (releaseId(releaseNumber(release), content) !== release) {
    const path = releasePath(release, 'manifest.json')
    files.fault({ path, wanted: 'the content that the id tells', received: `SHA-256 ${content}` })
  }
  verifyCoverage(files, corpus)
  readJson(files, releasePath(release, 'report.json'))
  const path = releasePath(release, 'changes.json')
  const changes = readJson(files, path) as { to?: unknown } | null
  if (changes && changes.to !== release)
    files.fault({ path, wanted: `changes to ${release}`, received: `changes to ${String(changes.to)}` })
}

function verifyCoverage(files: CheckedFiles, path: string): void {
  const wanted = 'the coverage record that its name tells'
  const bytes = files.read(path, wanted)
  if (!bytes) return
  const found = corpusPath(nameDigest(bytes))
  if (found !== path) files.fault({ path, wanted, received: `that of "${found}" (${bytes.length} bytes)` })
}

/** The value of a JSON file; null where it is missing or none, which is a fault. */
function readJson(files: CheckedFiles, path: string): object | null {
  const wanted = 'a JSON object'
  const bytes = files.read(path, wanted)
  if (!bytes) return null
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (typeof value === 'object' && value !== null) return value
    files.fault({ path, wanted, received: `${bytes.toString().slice(0, 40)} (${bytes.length} bytes)` })
  } catch (error) {
    files.fault({ path, wanted, received: `${(error as Error).message} (${bytes.length} bytes)` })
  }
  return null
}
