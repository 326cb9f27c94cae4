import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Coverage } from '#contract/corpus.ts'
import { levels } from '#contract/levels.ts'
import type { Problem } from '#corpus/problem.ts'
import type { Catalogue } from '#corpus/read-catalogue.ts'
import { coverageOf } from '#indexing/coverage.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { changesText, historyAfter, type Changes } from '#release/changes.ts'
import type { ClipTable } from '#release/clips/reader.ts'
import { PostingsTable } from '#release/postings/reader.ts'
import type { WordTable } from '#release/words/reader.ts'
import type { Naming } from '#release/named-files.ts'
import { newManifest, type Manifest } from '#release/manifest.ts'
import { cdnHeadersPath, corpusPath, releaseId, type ReleaseFile } from '#release/paths.ts'
import { moveFile, writeWhole } from './write-file.ts'
import type { BuildOptions } from './build-options.ts'
import { cdnHeaders } from './cdn-headers.ts'
import { writeIndex } from './index-files.ts'
import { allAdded, changesBetween, indexedRelease } from '#tree/changes.ts'
import { fileChanges } from '#tree/file-changes.ts'
import { pointTo } from '#tree/point-to.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import type { State } from '#tree/state.ts'
import type { Plan } from './plan.ts'
import type { IndexTables } from '#tree/index-tables.ts'
import type { Tables } from './release-builder.ts'

/** What a build reports to its operator. */
export interface BuildReport {
  rejected: Problem[]
  kept: Plan['kept']
  warnings: Problem[]
}

interface Sealing {
  options: Pick<BuildOptions, 'outFolder' | 'clock'>
  workFolder: string
  catalogue: Catalogue
  state: State
  opened: IndexTables | null
  plan: Plan
  report: BuildReport
  /** Of all that the release is built from (`contentDigest`). */
  content: string
  lexicons: Record<string, string>
  sentences: SegmentEntry[]
  tables: Tables
}

/**
 * Writes the rest of the release, seals it under its id and, once all of it is on the disk, puts it
 * in service in one step. Returns its id.
 */
export async function sealRelease(sealing: Sealing): Promise<string> {
  const { options, workFolder, state, report, content, tables, sentences } = sealing
  const { outFolder } = options
  const { head } = state
  const release = releaseId(head.releases + 1, content)
  const { clips, words } = tables
  const publish = (path: string, text: string) => {
    if (!existsSync(join(outFolder, path))) writeWhole(workFolder, join(outFolder, path), Buffer.from(text))
  }
  const index = writeIndex({ words, clips }, publish)
  const coverage = JSON.stringify(coverageIn(clips, words, sealing.catalogue))
  const corpus = corpusPath(nameDigest(coverage))
  writeWhole(workFolder, join(outFolder, corpus), Buffer.from(coverage))
  const naming = { manifest: { corpus, index, sentences }, clips, words }
  const changes = changesOf(sealing, release, naming)
  const files = {
    ...tables.files,
    // Its text is made twice, because memory should not hold it: 170 MB for a million new clips.
    'changes.json': { [Symbol.iterator]: () => changesText(changes) },
    'report.json': [toText(report)],
  }
  const manifest = newManifest({
    release,
    tree: head.tree,
    history: sealing.opened ? historyAfter(sealing.opened.manifest) : [],
    builtAtMs: options.clock.now(),
    content,
    ordinals: head.ordinals,
    corpus,
    index,
    sentences,
    files: Object.fromEntries(
      Object.entries(files).map(([name, pieces]) => [name, digestOf(pieces)]),
    ) as Manifest['files'],
    lexicons: sealing.lexicons,
  })
  await writeRelease(outFolder, workFolder, release, { ...files, 'manifest.json': [toText(manifest)] })
  writeWhole(workFolder, join(outFolder, cdnHeadersPath), Buffer.from(cdnHeaders))
  await syncFolder(outFolder)
  head.releases++
  head.latest = release
  if (!head.held) head.release = release
  state.commit()
  if (!head.held) await pointTo(outFolder, release)
  return release
}

function coverageIn(clips: ClipTable, words: WordTable, catalogue: Catalogue): Coverage {
  const covered = clips.liveRows().map((row) => ({
    language: clips.placeOf(row).language,
    level: levels[clips.level(row)]!,
    durationS: clips.durationS(row),
    channel: clips.facets.channelOf(row),
  }))
  return coverageOf(covered, catalogue, ({ wordId }) => words.clipCount(words.find(wordId)))
}

function changesOf({ opened, plan, tables }: Sealing, release: string, after: Naming): Changes {
  const { words, clips } = after
  const files = fileChanges(opened, after, plan)
  if (!opened)
    return {
      ...allAdded(
        { release, words },
        Array.from(clips.liveRows(), (row) => clips.clipId(row)),
      ),
      files,
    }
  const postings = new PostingsTable(joinBytes(tables.files['postings.bin']), 'postings.bin')
  const before = indexedRelease(opened.manifest.release, opened)
  return { ...changesBetween(before, indexedRelease(release, { clips, words, postings }), plan), files }
}

async function writeRelease(
  outFolder: string,
  workFolder: string,
  release: string,
  files: Record<ReleaseFile, Iterable<string | Uint8Array>>,
): Promise<void> {
  const folder = join(outFolder, 'releases', release)
  const aside = join(workFolder, 'release')
  for (const [name, content] of Object.entries(files))
    await atomicWrite(join(aside, name), content, { sync: false })
  await rm(folder, { recursive: true, force: true })
  moveFile(aside, folder)
}

function digestOf(pieces: Iterable<string | Uint8Array>): string {
  const digest = createHash('sha256')
  for (const piece of pieces) digest.update(piece)
  return digest.digest('hex')
}

function toText(value: unknown): string {
  return JSON.stringify(value, null, 1) + '\n'
}
