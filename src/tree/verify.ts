import { ClipTable } from '#release/clips/reader.ts'
import { WordTable } from '#release/words/reader.ts'
import { parseManifest, type Manifest } from '#release/manifest.ts'
import { indexFiles } from '#release/named-files.ts'
import { segmentPaths, type SegmentEntry } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import { releaseId, releaseNumber, releasePath } from '#release/paths.ts'
import { nameDigest } from '#kit/digest.ts'
import type { Tree } from '#release/tree.ts'
import { CheckedFiles, type CheckReport } from './checked-files.ts'

type ManifestFile = keyof Manifest['files']

/**
 * Reads every file that a release is served from and compares it with its digest: tables with the
 * manifest, records and transcripts with the table of clips, word lists and the coverage record
 * with their names. Memory holds a table and one other file. Returns how much was read, and how
 * many faults were found.
 *
 * @throws {UnreadableFile} a file exists and cannot be read
 */
export async function verifyRelease(tree: Tree, release: string, report: CheckReport) {
  const files = new CheckedFiles(tree, report)
  const manifest = await readManifest(files, release)
  if (manifest) {
    verifyId(files, manifest)
    await verifyNamed(files, manifest.corpus, 'the coverage record that matches its name')
    for (const path of indexFiles(manifest))
      await verifyNamed(files, path, 'the index file that matches its name')
    for (const segment of manifest.sentences) await verifySegment(files, segment)
    for (const file of Object.keys(manifest.files) as ManifestFile[]) {
      // One after another, so that memory holds only one table.
      const bytes = await files.readWhole(releasePath(release, file), manifest.files[file])
      if (bytes && file === 'clips.bin') await verifyClips(files, new ClipTable(bytes, file))
      if (bytes && file === 'words.bin') await verifyWords(files, new WordTable(bytes, file))
    }
  }
  return { release, ...files.counts }
}

async function readManifest(files: CheckedFiles, release: string): Promise<Manifest | null> {
  const path = releasePath(release, 'manifest.json')
  const wanted = `the manifest of release ${release}`
  const bytes = await files.read(path, wanted)
  if (!bytes) return null
  try {
    const manifest = parseManifest(bytes.toString(), path)
    if (manifest.release === release) return manifest
    files.fault({ path, wanted, received: `the manifest of release ${manifest.release}` })
  } catch (error) {
    files.fault({ path, wanted, received: (error as Error).message })
  }
  return null
}

/** Compares the id of a release with the digest of its content. */
function verifyId(files: CheckedFiles, { release, content }: Manifest): void {
  if (releaseId(releaseNumber(release), content) === release) return
  files.fault({
    path: releasePath(release, 'manifest.json'),
    wanted: 'the content that the id of the release names',
    received: `SHA-256 ${content}`,
  })
}

/** Compares a file with the digest in its name. */
async function verifyNamed(files: CheckedFiles, path: string, wanted: string): Promise<void> {
  const bytes = await files.read(path, wanted)
  const found = bytes && path.replace(/[0-9a-f]{16}(?=\.json$)/, nameDigest(bytes))
  if (found && found !== path)
    files.fault({ path, wanted, received: `the one of "${found}" (${bytes.length} bytes)` })
}

/** Compares the head of a segment with the manifest, and its parts with the head. */
async function verifySegment(files: CheckedFiles, entry: SegmentEntry): Promise<void> {
  const [headPath, ...paths] = segmentPaths(entry)
  const head = await files.readWhole(headPath!, entry.digest)
  if (!head) return
  const segment = new Segment(head, entry)
  for (const [part, path] of paths.entries()) {
    const wanted = segment.partDigest(part)
    const bytes = await files.read(path, `SHA-256 ${wanted}…`)
    const found = bytes && nameDigest(bytes)
    if (found && found !== wanted)
      files.fault({ path, wanted: `SHA-256 ${wanted}…`, received: `SHA-256 ${found}…` })
  }
}

async function verifyClips(files: CheckedFiles, clips: ClipTable): Promise<void> {
  for (const _ of clips.liveRows()) files.expected += 2
  await files.each(clips.liveRows(), async (row) => {
    for (const { path, digest } of [clips.recordFile(row), clips.transcriptFile(row)])
      await files.checkShort(path, digest)
  })
}

async function verifyWords(files: CheckedFiles, words: WordTable): Promise<void> {
  await files.each(Array(words.count).keys(), async (row) => {
    for (const { path, digest } of words.pages(row)) await files.checkShort(path, digest)
  })
}
