/**
 * Finds the files of the last release that are lost or damaged.
 *
 * Reading every file every night would take about as long as copying the tree. A file is read only
 * if its inode changed after the last build, which left every file undamaged. No program can set
 * this time back, so a file that is restored from a backup is also read.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '#kit/digest.ts'
import { fileOfName, fileOfTable, type ExpectedFile } from '#release/expected-file.ts'
import { indexFiles, type NamingTables } from '#release/named-files.ts'
import { clipPath, releasePath, transcriptPath, type ReleaseFile } from '#release/paths.ts'
import { segmentPaths } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import type { PublishedClip } from '#tree/state.ts'
import { BuildStopped, describeLoss } from './build-stopped.ts'
import { writeMissing } from './write-file.ts'

/** The files that the build must rewrite, as paths in the tree. */
export interface Damage {
  /** The records of clips, already restored from the table of clips. */
  records: string[]
  /** The transcripts, keyed by clip id. They are rendered again from the source. */
  transcripts: Map<string, string>
  /** Lists, index files, coverage and sentence index, which every release renders again. */
  others: string[]
}

/**
 * Whether a file of a tree is undamaged: it has its digest, or has not changed since `soundMs`, the
 * time at which all files were undamaged, by the clock of the file system.
 */
function isSound({ path, digest }: ExpectedFile, outFolder: string, soundMs: number): boolean {
  const file = join(outFolder, path)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) return false
  return stats.ctimeMs < soundMs || sha256(readFileSync(file)).toString('hex').startsWith(digest)
}

/**
 * Finds the damage under `data/`, and repairs that of records.
 *
 * @throws {SyntaxError} a table of the release is damaged or lost
 */
export function findDamage(
  outFolder: string,
  workFolder: string,
  last: NamingTables,
  soundMs: number,
): Damage {
  const { manifest, clips, words } = last
  // The other tables are open, so their digests are correct.
  const { 'clips.bin': _clips, 'words.bin': _words, ...otherFiles } = manifest.files
  for (const [file, digest] of Object.entries(otherFiles)) {
    const path = releasePath(manifest.release, file as ReleaseFile)
    if (!isSound({ path, digest }, outFolder, soundMs))
      throw new SyntaxError(`cannot open "${path}": it is lost, or does not match the manifest`)
  }
  const damage: Damage = { records: [], transcripts: new Map(), others: [] }
  const checkOther = (file: ExpectedFile): boolean => {
    if (isSound(file, outFolder, soundMs)) return true
    damage.others.push(file.path)
    return false
  }
  for (const path of [manifest.corpus, ...indexFiles(manifest)]) checkOther(fileOfName(path))
  for (const entry of manifest.sentences) {
    const path = segmentPaths(entry)[0]!
    if (!checkOther({ path, digest: entry.digest })) continue
    const segment = new Segment(Uint8Array.from(readFileSync(join(outFolder, path))), entry)
    for (let part = 0; part < entry.parts; part++) checkOther(fileOfTable(segment.part(part)))
  }
  for (const row of words.wordIds.keys()) for (const page of words.pages(row)) checkOther(fileOfTable(page))
  for (const row of clips.liveRows()) {
    const [record, transcript] = [clips.recordFile(row), clips.transcriptFile(row)]
    if (!isSound(fileOfTable(record), outFolder, soundMs)) {
      writeMissing(workFolder, join(outFolder, record.path), Buffer.from(clips.recordJson(row), 'latin1'))
      damage.records.push(record.path)
    }
    if (!isSound(fileOfTable(transcript), outFolder, soundMs))
      damage.transcripts.set(clips.clipId(row), transcript.path)
  }
  return damage
}

/**
 * Finds damaged files of clips by the ledger, for a release whose tables cannot be opened.
 *
 * @throws {BuildStopped} as `findDamagedFile`
 */
export function findDamagedTranscripts(
  outFolder: string,
  publishedClips: Iterable<PublishedClip>,
  replace: ReadonlySet<string> | 'all',
  soundMs: number,
): Map<string, string> {
  const transcripts = new Map<string, string>()
  const cause = 'the table of clips is damaged, too'
  for (const clip of publishedClips) {
    const path = findDamagedFile(clip, outFolder, replace, cause, soundMs)
    if (path !== null) transcripts.set(clip.clipId, path)
  }
  return transcripts
}

/**
 * Returns a damaged file of a clip that the tables cannot restore: its transcript or, if its new
 * version is published in any case, its record.
 *
 * @throws {BuildStopped} its record is lost or damaged, and it is not replaced by name
 */
export function findDamagedFile(
  { clipId, revision, recordDigest, transcriptDigest }: PublishedClip,
  outFolder: string,
  replace: ReadonlySet<string> | 'all',
  cause: string,
  soundMs = 0,
): string | null {
  const record = fileOfTable({ path: clipPath(clipId, revision), digest: recordDigest })
  if (!isSound(record, outFolder, soundMs)) {
    if (replace !== 'all' && replace.has(clipId)) return record.path
    throw new BuildStopped(describeLoss(record.path, clipId, cause))
  }
  const transcript = fileOfTable({ path: transcriptPath(clipId, revision), digest: transcriptDigest })
  return isSound(transcript, outFolder, soundMs) ? null : transcript.path
}
