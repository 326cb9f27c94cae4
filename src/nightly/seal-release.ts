import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { atomicWrite } from '#kit/atomic-write.ts'
import { sha256 } from '#kit/digest.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { changesText, historyAfter } from '#release/changes.ts'
import type { LimitedSizes } from '#release/limits.ts'
import { writeDelta } from '#release/delta/write-delta.ts'
import { deltaName, newManifest, type Manifest } from '#release/manifest.ts'
import type { NamingTables } from '#release/named-files.ts'
import { cdnHeadersPath, releaseId, tableFiles, type ReleaseFile } from '#release/paths.ts'
import { changesBetween } from '#tree/changes.ts'
import type { State } from '#tree/state.ts'
import { finishRelease, markUnfinished } from '#tree/unfinished-release.ts'
import type { ReleaseParts } from './build-release.ts'
import type { WorkerContext } from './build-worker.ts'

/** `_headers`: cache rules in the form that CDNs read (contract 3). Every origin may read files. */
const cdnHeaders = new URL('./_headers', import.meta.url)

export async function writeCdnHeaders(outFolder: string): Promise<void> {
  await atomicWrite(join(outFolder, cdnHeadersPath), readFileSync(cdnHeaders), { sync: false })
}

interface Sealing {
  context: WorkerContext
  builtAtMs: number
  state: State
  /** The last release; null if there is none, or none that can be opened. */
  before: NamingTables | null
  /** The digest of everything that the release is built from (`contentDigest`). */
  content: string
  parts: ReleaseParts
  /** Throws if a size of the release exceeds its limit. */
  checkLimits(sizes: LimitedSizes): void
}

/** Writes the rest of the release, and seals it once all of it is on disk. Returns its id. */
export async function sealRelease(sealing: Sealing): Promise<string> {
  const { builtAtMs, state, before, content, parts } = sealing
  const { outFolder, workFolder } = sealing.context
  const { index, corpus, sentences } = parts
  const { head } = state
  const release = releaseId(head.releases + 1, content)
  const aside = join(workFolder, 'release')
  await mkdir(aside)
  const sizeOf = async (file: ReleaseFile) => (await stat(join(aside, file))).size
  const tables = {
    'clips.bin': await writeDigested(join(aside, 'clips.bin'), parts.tables['clips.bin']),
    'words.bin': await writeDigested(join(aside, 'words.bin'), parts.tables['words.bin']),
    'spellings.bin': await writeDigested(join(aside, 'spellings.bin'), parts.tables['spellings.bin']),
  }
  // The changes come after the tables, because the columns of each are freed once it is written.
  const changes = changesBetween(before, {
    release,
    corpus,
    index,
    clips: () => state.live(),
    words: () => parts.words,
  })
  const files: Manifest['files'] = {
    ...tables,
    'changes.json': await writeDigested(join(aside, 'changes.json'), changesText(changes)),
    ...(before && (await writeDeltas(join(outFolder, 'releases', before.manifest.release), aside))),
  }
  sealing.checkLimits({
    tableBytes: Math.max(...(await Promise.all(tableFiles.map(sizeOf)))),
    changesBytes: await sizeOf('changes.json'),
  })
  const manifest = newManifest({
    release,
    tree: head.tree,
    history: before ? historyAfter(before.manifest) : [],
    builtAtMs,
    content,
    ordinals: head.ordinals,
    corpus,
    index,
    sentences,
    files,
  })
  await writeFile(join(aside, 'manifest.json'), JSON.stringify(manifest, null, 1) + '\n')
  await markUnfinished(aside)
  const folder = join(outFolder, 'releases', release)
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  await rename(aside, folder)
  await writeCdnHeaders(outFolder)
  await syncFolder(outFolder)
  head.releases++
  head.latest = release
  if (!head.heldSince) head.release = release
  state.commit()
  await finishRelease(outFolder, release)
  return release
}

/** Writes a file, and returns the SHA-256 of its bytes (hex). */
async function writeDigested(path: string, pieces: Iterable<string | Uint8Array>): Promise<string> {
  await using file = await open(path, 'w')
  const digest = createHash('sha256')
  for (const piece of pieces) {
    digest.update(piece)
    await file.writeFile(piece)
  }
  return digest.digest('hex')
}

/** The minimum size of a table with a delta. Downloading smaller ones whole takes no longer. */
const deltaTableMin = 64 * 1024

/**
 * Writes the deltas from the tables in one folder to those in another, beside them. Returns their
 * digests. A lost table has no delta, and neither has one that would save less than half.
 */
async function writeDeltas(baseFolder: string, folder: string): Promise<Partial<Manifest['files']>> {
  const digests: Partial<Manifest['files']> = {}
  for (const table of tableFiles) {
    const [basePath, path] = [join(baseFolder, table), join(folder, table)]
    const { size: tableBytes } = await stat(path)
    if (tableBytes < deltaTableMin || !existsSync(basePath)) continue
    const deltaPath = join(folder, deltaName(table))
    await writeDelta(basePath, path, deltaPath)
    if ((await stat(deltaPath)).size > tableBytes / 2) await rm(deltaPath)
    else digests[deltaName(table)] = sha256(readFileSync(deltaPath)).toString('hex')
  }
  return digests
}
