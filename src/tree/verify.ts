import { Readable } from 'node:stream'
import { MissingFile, TreeFault, type Tree } from '#release/tree.ts'
import type { DigestedFile } from '#release/digested-file.ts'
import { fileOfName, fileOfTable, type ExpectedFile } from '#release/expected-file.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { WordTable } from '#release/words/reader.ts'
import { parseManifest, type Manifest } from '#release/manifest.ts'
import { indexFiles } from '#release/named-files.ts'
import { segmentPaths, type SegmentEntry } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import { releaseId, releaseNumber, releasePath, type DataFile, type ReleaseFile } from '#release/paths.ts'

export interface FileFault {
  path: string
  wanted: string
  received: string
}

export interface CheckReport {
  onFault(fault: FileFault): void
  /** Called repeatedly with the number of files that have been read. */
  onProgress(doneCount: number, total: number): void
}

/** The number of files between two reports of progress. */
const progressEvery = 1_000
/** The number of files to read at a time, because an origin answers many at once. */
const atATime = 16

/**
 * Reads every file of a release and compares it with its digest: tables with the manifest, records,
 * transcripts and word lists with the tables, the coverage record and the index with their names.
 * Memory holds a table and a few other files. Returns the amount that was read, and the number of
 * faults.
 *
 * @throws {TreeFault} a file exists and cannot be read
 */
export async function verifyRelease(tree: Tree, release: string, report: CheckReport) {
  const files = new CheckedFiles(tree, report)
  const manifest = await files.readManifest(release)
  if (manifest) {
    for (const { clips } of manifest.sentences) files.expectedCount += 2 * clips
    for (const path of [manifest.corpus, ...indexFiles(manifest)]) await files.check(fileOfName(path))
    for (const segment of manifest.sentences) await verifySegment(files, segment)
    for (const [file, digest] of Object.entries(manifest.files)) {
      // One after another, so that memory holds only one table.
      const bytes = await files.check({ path: releasePath(release, file as ReleaseFile), digest })
      const referencedFiles = Readable.from(bytes ? filesNamedBy(file, bytes) : [])
      await referencedFiles.forEach(async (file: DataFile) => void (await files.check(fileOfTable(file))), {
        concurrency: atATime,
      })
    }
  }
  return { release, ...files.counts }
}

/** Returns the files under `data/` that a table of a release names. */
function filesNamedBy(file: string, bytes: Uint8Array<ArrayBuffer>): Iterable<DataFile> {
  if (file === 'clips.bin') {
    const clips = new ClipTable(bytes, file)
    return clips.liveRows().flatMap((row) => clips.files(row))
  }
  if (file !== 'words.bin') return []
  const words = new WordTable(bytes, file)
  return words.wordIds.keys().flatMap((row) => words.pages(row))
}

/** Compares the head of a segment with the manifest, and its parts with the head. */
async function verifySegment(files: CheckedFiles, entry: SegmentEntry): Promise<void> {
  const head = await files.check({ path: segmentPaths(entry)[0]!, digest: entry.digest })
  if (!head) return
  const segment = new Segment(head, entry)
  for (let part = 0; part < entry.parts; part++) await files.check(fileOfTable(segment.part(part)))
}

/** Reads the files of a tree, reports their faults, and counts them. */
class CheckedFiles {
  /** The number of files that will be read, as far as known. */
  expectedCount = 0
  readonly counts = { files: 0, bytes: 0, faults: 0 }
  readonly #tree: Tree
  readonly #report: CheckReport

  constructor(tree: Tree, report: CheckReport) {
    this.#tree = tree
    this.#report = report
  }

  /** Returns a file whose SHA-256 (hex) starts with the digest; otherwise null, and a fault. */
  async check({ path, digest }: ExpectedFile): Promise<Uint8Array<ArrayBuffer> | null> {
    const digestText = quoteDigest(digest)
    const file = await this.#read(path, digestText)
    if (!file) return null
    const actualDigest = file.digest.slice(0, digest.length)
    if (actualDigest === digest) return file.start
    const actual = `${quoteDigest(actualDigest)} (${file.sizeBytes} bytes)`
    this.#fault({ path, wanted: digestText, received: actual })
    return null
  }

  /** Returns the manifest of a release; null, and a fault, if it is missing or of another. */
  async readManifest(release: string): Promise<Manifest | null> {
    const path = releasePath(release, 'manifest.json')
    const expectation = `the manifest of release ${release}`
    const file = await this.#read(path, expectation)
    if (!file) return null
    try {
      const manifest = parseManifest(file.start.toString(), path)
      const { content } = manifest
      if (releaseId(releaseNumber(release), content) !== release)
        this.#fault({ path, wanted: 'the content that the id names', received: `SHA-256 ${content}` })
      if (manifest.release === release) return manifest
      this.#fault({ path, wanted: expectation, received: `the manifest of release ${manifest.release}` })
    } catch (error) {
      this.#fault({ path, wanted: expectation, received: (error as Error).message })
    }
    return null
  }

  async #read(path: string, expectation: string): Promise<DigestedFile | null> {
    const file = await this.#tree.openDigested(path).catch((error: unknown) => {
      // A file that the system does not let this user read is not a fault of the tree.
      if (!(error instanceof TreeFault) || error.reason === 'unreadable') throw error
      this.#fault({
        path,
        wanted: expectation,
        received: error instanceof MissingFile ? 'no such file' : error.message,
      })
      return null
    })
    this.counts.bytes += file?.sizeBytes ?? 0
    const files = ++this.counts.files
    if (files % progressEvery === 0) this.#report.onProgress(files, Math.max(this.expectedCount, files))
    return file
  }

  #fault(fault: FileFault): void {
    this.counts.faults++
    this.#report.onFault(fault)
  }
}

function quoteDigest(digest: string): string {
  return `SHA-256 ${digest}${digest.length < 64 ? '…' : ''}`
}
