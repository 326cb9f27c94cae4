import { ClipTable } from '#release/clips/reader.ts'
import { createHash } from 'node:crypto'
import type { NamedSegment } from '#release/lists/clip-list.ts'
import { pageEnd, pagesOf, pageStart, separator } from '#release/lists/layout.ts'
import { pageDigest, type PageDigest } from '#release/page-digest.ts'
import { WordTable } from '#release/words/reader.ts'
import { parseManifest, type Manifest } from '#release/manifest.ts'
import { indexFiles, segmentPages, wordsWithClips } from '#release/named-files.ts'
import { segmentPaths, type SegmentEntry } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import { releaseId, releaseNumber, releasePath } from '#release/paths.ts'
import { nameDigest } from '#kit/digest.ts'
import { CheckedFiles, type CheckReport } from './checked-files.ts'

type ManifestFile = keyof Manifest['files']

/**
 * Reads every file that a release is served from and compares it with its digest: tables with the
 * manifest, records and transcripts with the table of clips, word lists and the coverage record
 * with their names. Memory holds a table and one other file. Returns how much was read, and how
 * many faults were found.
 *
 * @throws the error of the file system, if a file exists and cannot be read
 */
export async function verifyRelease(outFolder: string, release: string, report: CheckReport) {
  const files = new CheckedFiles(outFolder, report)
  const manifest = readManifest(files, release)
  if (manifest) {
    verifyId(files, manifest)
    verifyNamed(files, manifest.corpus, 'the coverage record that matches its name')
    for (const path of indexFiles(manifest)) verifyNamed(files, path, 'the index file that matches its name')
    for (const segment of manifest.sentences) await verifySegment(files, segment)
    for (const file of Object.keys(manifest.files) as ManifestFile[]) {
      // One after another, so that memory holds only one table.
      const bytes = await files.readWhole(releasePath(release, file), manifest.files[file])
      if (bytes && file === 'clips.bin') verifyClips(files, new ClipTable(bytes, file))
      if (bytes && file === 'words.bin') verifyWords(files, new WordTable(bytes, file))
    }
  }
  return { release, ...files.counts }
}

function readManifest(files: CheckedFiles, release: string): Manifest | null {
  const path = releasePath(release, 'manifest.json')
  const wanted = `the manifest of release ${release}`
  const bytes = files.read(path, wanted)
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
function verifyNamed(files: CheckedFiles, path: string, wanted: string): void {
  const bytes = files.read(path, wanted)
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
    const wanted = hexOf(segment.partDigest(part))
    const bytes = files.read(path, `SHA-256 ${wanted}…`)
    const found = bytes && hexOf(pageDigest(bytes))
    if (found && found !== wanted)
      files.fault({ path, wanted: `SHA-256 ${wanted}…`, received: `SHA-256 ${found}…` })
  }
}

function hexOf({ high, low }: PageDigest): string {
  return [high, low].map((half) => half.toString(16).padStart(8, '0')).join('')
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
  for (const row of wordsWithClips(words))
    for (const segment of words.segments(row)) verifyList(files, words, row, segment)
}

/**
 * Compares the pages of a segment of a word's list with the digest in their names, which is that of
 * the items of all pages. What surrounds the items must be exactly what a build writes.
 */
function verifyList(files: CheckedFiles, words: WordTable, row: number, segment: NamedSegment): void {
  const [wordId, language, { digest }] = [words.wordId(row), words.language(row), segment]
  const paths = segmentPages(words, row, segment)
  const hash = createHash('sha256')
  let isWhole = true
  for (const [i, path] of paths.entries()) {
    const bytes = files.read(path, `page ${i + 1} of the clips of word ${wordId}`)
    const items = bytes && itemsOf(bytes, pageStart({ wordId, language, page: i + 1, pages: paths.length }))
    if (bytes && !items) {
      const wanted = `page ${i + 1} of ${paths.length} of the clips of word ${wordId}`
      files.fault({ path, wanted, received: `different content (${bytes.length} bytes)` })
    }
    if (i > 0) hash.update(separator)
    if (items) hash.update(items)
    else isWhole = false
  }
  const found = hash.digest('hex').slice(0, digest.length)
  if (!isWhole || found === digest) return
  const received = `SHA-256 ${found}…${paths.length > 1 ? ` (its ${paths.length} pages together)` : ''}`
  files.fault({ path: paths[0]!, wanted: `items of SHA-256 ${digest}…`, received })
}

/** The bytes between the beginning of a page and its end; null if either differs. */
function itemsOf(bytes: Buffer, start: string): Buffer | null {
  const from = Buffer.byteLength(start)
  const to = bytes.length - pageEnd.length
  const isPage = to >= from && bytes.toString('utf8', 0, from) === start && bytes.subarray(to).equals(pageEnd)
  return isPage ? bytes.subarray(from, to) : null
}
