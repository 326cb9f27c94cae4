import { ClipTable } from '#release/clip-table.ts'
import { parseManifest, type Manifest } from '#release/manifest.ts'
import { wordPages, wordsWithClips } from '#release/named-files.ts'
import { releasePath } from '#release/paths.ts'
import { SearchTable } from '#release/search-table.ts'
import { WordTable } from '#release/word-table.ts'
import { CheckedFiles, type CheckReport } from './checked-files.ts'
import { verifyContent } from './verify-content.ts'
import { verifyWordList } from './verify-word-list.ts'

/** How much of a release was read, and how many faults were told. */
export interface Verified {
  release: string
  files: number
  bytes: number
  faults: number
}

/**
 * Reads every file that a release is served from and holds it against its digest: the tables against the manifest, records and transcripts against the
 * table of clips, word lists against the digests in their names, the coverage record and the report against the digest of the release's content. Memory
 * holds a table and one file of the rest.
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
    await openTable(files, manifest, 'search.bin', SearchTable)
    verifyContent(files, manifest)
    verifyClips(files, await openTable(files, manifest, 'clips.bin', ClipTable))
    verifyWords(files, await openTable(files, manifest, 'words.bin', WordTable))
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

/** Gives a table that is what the manifest says. */
async function openTable<Table>(
  files: CheckedFiles,
  { release, tables }: Manifest,
  file: keyof Manifest['tables'],
  TableClass: new (bytes: Uint8Array<ArrayBuffer>, path: string) => Table,
): Promise<Table | null> {
  const path = releasePath(release, file)
  const bytes = await files.readWhole(path, tables[file])
  return bytes && new TableClass(bytes, path)
}

function verifyClips(files: CheckedFiles, clips: ClipTable | null): void {
  if (!clips) return
  for (const _ of clips.liveRows()) files.expected += 2
  for (const row of clips.liveRows()) {
    for (const { path, digest } of [clips.recordFile(row), clips.transcriptFile(row)])
      files.checkShort(path, digest)
  }
}

function verifyWords(files: CheckedFiles, words: WordTable | null): void {
  if (!words) return
  for (const row of wordsWithClips(words)) files.expected += wordPages(words, row).length
  for (const row of wordsWithClips(words)) verifyWordList(files, words, row)
}
