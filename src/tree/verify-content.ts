import { nameDigest } from '#kit/digest.ts'
import type { Manifest } from '#release/manifest.ts'
import { corpusPath, releaseId, releaseNumber, releasePath } from '#release/paths.ts'
import type { CheckedFiles } from './checked-files.ts'

/**
 * Compares what a release says besides its tables with names: the coverage record, and the id,
 * which has the digest of the content.
 */
export function verifyContent(files: CheckedFiles, manifest: Manifest): void {
  const { release, content, corpus } = manifest
  if (releaseId(releaseNumber(release), content) !== release) {
    const path = releasePath(release, 'manifest.json')
    files.fault({
      path,
      wanted: 'the content that the id of the release names',
      received: `SHA-256 ${content}`,
    })
  }
  verifyCoverage(files, corpus)
}

function verifyCoverage(files: CheckedFiles, path: string): void {
  const wanted = 'the coverage record that matches its name'
  const bytes = files.read(path, wanted)
  if (!bytes) return
  const found = corpusPath(nameDigest(bytes))
  if (found !== path) files.fault({ path, wanted, received: `the one of "${found}" (${bytes.length} bytes)` })
}
