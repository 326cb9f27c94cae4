import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Coverage } from '#contract/corpus.ts'
import { levels } from '#contract/levels.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { coverageOf } from './index/coverage.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { changesText, historyAfter } from '#release/changes.ts'
import { newManifest, type Manifest } from '#release/manifest.ts'
import type { NamingTables } from '#release/named-files.ts'
import { cdnHeadersPath, corpusPath, releaseId, type ReleaseFile } from '#release/paths.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import { changesBetween } from '#tree/changes.ts'
import { pointTo } from '#tree/pointer.ts'
import type { State } from '#tree/state.ts'
import type { Tables } from './build-tables.ts'
import type { WorkerContext } from './build-worker.ts'
import { writeMissing } from './write-file.ts'
import { writeIndex } from './write-index.ts'

/**
 * `_headers`: the cache rules of the tree, in the form that CDNs read (contract 3). Any origin may
 * read the files.
 */
const cdnHeaders = new URL('./_headers', import.meta.url)

interface Sealing {
  context: WorkerContext
  builtAtMs: number
  state: State
  /** The last release; null if there is none, or none that can be opened. */
  before: NamingTables | null
  /** Of all that the release is built from (`contentDigest`). */
  content: string
  sentences: SegmentEntry[]
  tables: Tables
}

/**
 * Writes the rest of the release, seals it under its id and, once all of it is on the disk, puts it
 * in service in one step. Returns its id.
 */
export async function sealRelease(sealing: Sealing): Promise<string> {
  const { builtAtMs, state, before, content, tables, sentences } = sealing
  const { outFolder, workFolder, catalogue } = sealing.context
  const { head } = state
  const release = releaseId(head.releases + 1, content)
  const { clips, words } = tables
  const publish = (path: string, text: string) => writeMissing(workFolder, join(outFolder, path), text)
  const index = writeIndex({ words, clips }, publish)
  const coverage = JSON.stringify(coverageIn(tables, catalogue))
  const corpus = corpusPath(nameDigest(coverage))
  publish(corpus, coverage)
  const named = { release, manifest: { corpus, index, sentences }, clips, words }
  const changes = changesBetween(before && { ...before, release: before.manifest.release }, named)
  const files = {
    ...tables.files,
    // Its text is made twice, because memory should not hold it: 170 MB for a million new clips.
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
    files: Object.fromEntries(
      Object.entries(files).map(([name, pieces]) => [name, digestOf(pieces)]),
    ) as Manifest['files'],
  })
  const manifestText = JSON.stringify(manifest, null, 1) + '\n'
  await writeRelease(outFolder, workFolder, release, { ...files, 'manifest.json': [manifestText] })
  await atomicWrite(join(outFolder, cdnHeadersPath), readFileSync(cdnHeaders), { sync: false })
  await syncFolder(outFolder)
  head.releases++
  head.latest = release
  if (!head.held) head.release = release
  state.commit()
  if (!head.held) await pointTo(outFolder, release)
  return release
}

function coverageIn({ clips, words }: Tables, catalogue: Catalogue): Coverage {
  const covered = clips.liveRows().map((row) => ({
    language: clips.placeOf(row).language,
    level: levels[clips.level(row)]!,
    durationS: clips.durationS(row),
    channel: clips.channelOf(row),
  }))
  return coverageOf(covered, catalogue, ({ wordId }) => words.clipCount(words.find(wordId)))
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
