import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { atomicWrite } from '#kit/atomic-write.ts'
import { mapValues } from '#kit/map-values.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { changesText, historyAfter } from '#release/changes.ts'
import { newManifest } from '#release/manifest.ts'
import type { NamingTables } from '#release/named-files.ts'
import { cdnHeadersPath, releaseId, type ReleaseFile } from '#release/paths.ts'
import { changesBetween } from '#tree/changes.ts'
import type { State } from '#tree/state.ts'
import type { ReleaseParts } from './build-release.ts'
import type { WorkerContext } from './build-worker.ts'

/**
 * `_headers`: the cache rules of the tree, in the form that CDNs read (contract 3). Any origin may
 * read the files.
 */
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
  /** The digest of all that the release is built from (`contentDigest`). */
  content: string
  parts: ReleaseParts
}

/**
 * Writes the rest of the release and seals it under its id, once all of it is on the disk. Returns
 * its id.
 */
export async function sealRelease(sealing: Sealing): Promise<string> {
  const { builtAtMs, state, before, content, parts } = sealing
  const { outFolder, workFolder } = sealing.context
  const { index, corpus, sentences } = parts
  const { head } = state
  const release = releaseId(head.releases + 1, content)
  const changes = changesBetween(before, {
    release,
    corpus,
    index,
    clips: () => state.live(),
    words: () => parts.words,
  })
  const files = {
    ...parts.tables,
    // Its text is produced twice, because memory should not hold it: 170 MB for a million clips.
    'changes.json': { [Symbol.iterator]: () => changesText(changes) },
  }
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
    files: mapValues(files, digestOf),
  })
  const manifestText = JSON.stringify(manifest, null, 1) + '\n'
  await writeRelease(outFolder, workFolder, release, { ...files, 'manifest.json': [manifestText] })
  try {
    await writeCdnHeaders(outFolder)
    await syncFolder(outFolder)
    head.releases++
    head.latest = release
    if (!head.heldSince) head.release = release
    state.commit()
  } catch (error) {
    // A release that the ledger lacks would look like one that is later than the ledger.
    await rm(join(outFolder, 'releases', release), { recursive: true, force: true })
    throw error
  }
  return release
}

/** Writes the files of a release in the work folder, then moves them into their place at once. */
async function writeRelease(
  outFolder: string,
  workFolder: string,
  release: string,
  files: Record<ReleaseFile, Iterable<string | Uint8Array>>,
): Promise<void> {
  const aside = join(workFolder, 'release')
  await mkdir(aside)
  for (const [name, content] of Object.entries(files)) await writeFile(join(aside, name), content)
  const folder = join(outFolder, 'releases', release)
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  await rename(aside, folder)
}

function digestOf(pieces: Iterable<string | Uint8Array>): string {
  const digest = createHash('sha256')
  for (const piece of pieces) digest.update(piece)
  return digest.digest('hex')
}
