import { ClipTable } from '#release/clips/reader.ts'
import { parseManifest, type Manifest } from '#release/manifest.ts'
import { pagesOf } from '#release/lists/clip-list.ts'
import { indexFiles, wordsWithClips } from '#release/named-files.ts'
import { releasePath } from '#release/paths.ts'
import { WordTable } from '#release/words/reader.ts'
import { nameDigest } from '#kit/digest.ts'
import { CheckedFiles, type CheckReport } from './checked-files.ts'
import { verifyContent } from './verify-content.ts'
import { verifyWordList } from './verify-word-list.ts'

type ManifestFile = keyof Manifest['files']

/** How much of a release was read, and how many faults were told. */
export interface Verified {
  release: string
  files: number
  bytes: number
  faults: number
}

/**
 * Reads every file that a release is served from and holds it against its digest: the tables against the manifest, records and transcripts against the
 * table of clips, word lists against the digests in their names, the coverage record against that in its name. Memory holds a table and one file of the rest.
 *
 * @throws the error of the file system, where a file is there and cannot be read
 */
export async function verifyRelease(
  outFolder: string,
  release: string,
  report: CheckReport,
): Promise<Verified> {
  const files = new CheckedFiles(outFolder, report)
  const manifest = readManifest(files, release)
  if (manifest) {
    verifyContent(files, manifest)
    for (const path of indexFiles(manifest)) verifyIndexFile(files, path)
    for (const { path, digest } of manifest.sentences) await files.readWhole(path, digest)
    for (const file of Object.keys(manifest.files) as ManifestFile[]) {
      // One after another: of the tables only one is in memory.
      const bytes = await files.readWhole(releasePath(release, file), manifest.files[file])
      if (bytes && file === 'clips.bin') verifyClips(files, new ClipTable(bytes, file))
      if (bytes && file === 'words.bin') verifyWords(files, new WordTable(bytes, file))
    }
  }
  return { release, ...files.counts() }
}

function readManifest(files: CheckedFiles, release: string): Manifest | null {
  const path = releasePath(release, 'manifest.json')
  const wanted = `the manifest of release ${release}`
  const bytes = files.read(path, wanted)
  if (!bytes) return null
  try {
    const manifest = parseManifest(bytes.toString(), path)
    if (manifest.release === release) return manifest
    files.fault({ path, wanted, received: `that of release ${manifest.release}` })
  } catch (error) {
    files.fault({ path, wanted, received: (error as Error).message })
  }
  return null
}

/** Holds a file of the index against the digest in its name. */
function verifyIndexFile(files: CheckedFiles, path: string): void {
  const wanted = 'the index file that its name tells'
  const bytes = files.read(path, wanted)
  const found = bytes && path.replace(/[0-9a-f]{16}(?=\.json$)/, nameDigest(bytes))
  if (found && found !== path)
    files.fault({ path, wanted, received: `that of "${found}" (${bytes.length} bytes)` })
}

function verifyClips(files: CheckedFiles, clips: ClipTable): void {
  for (const _ of clips.liveRows()) files.expected += 2
  for (const row of clips.liveRows()) {
    for (const { path, digest } of [clips.recordFile(row), clips.transcriptFile(row)])
      files.checkShort(path, digest)
  }
}

function verifyWords(files: CheckedFiles, words: WordTable): void {
  for (const row of wordsWithClips(words))
    for (const { count } of words.segments(row)) files.expected += pagesOf(count)
  for (const row of wordsWithClips(words)) verifyWordList(files, words, row)
}
