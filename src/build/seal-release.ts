import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Coverage } from '#contract/corpus.ts'
import type { Problem } from '#corpus/problem.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { changesText, type Changes } from '#release/changes.ts'
import { ClipTable } from '#release/clips/reader.ts'
import type { Naming } from '#release/named-files.ts'
import { newManifest } from '#release/manifest.ts'
import { cdnHeadersPath, corpusPath, releaseId, type ReleaseFile } from '#release/paths.ts'
import { PostingsTable } from '#release/postings/table.ts'
import { moveFile, writeAside } from './aside.ts'
import type { BuildOptions } from './build-options.ts'
import { cdnHeaders } from './cdn-headers.ts'
import { writeIndex } from './index-files.ts'
import { allAdded, changesBetween, indexedRelease } from '#tree/changes.ts'
import { fileChanges } from '#tree/file-changes.ts'
import { pointTo } from '#tree/point-to.ts'
import { writeLedger, type Ledger } from '#tree/ledger.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import type { Plan } from './plan.ts'
import type { ReleaseBefore } from './release-before.ts'
import type { Tables } from './release-in-the-making.ts'

/** What a build found to tell a person. */
export interface BuildReport {
  rejected: Problem[]
  kept: Plan['kept']
  warnings: Problem[]
}

interface Sealing {
  options: Pick<BuildOptions, 'outFolder' | 'clock'>
  asideFolder: string
  ledger: Ledger
  before: ReleaseBefore
  plan: Plan
  report: BuildReport
  /** Of all that the release was made from (`contentDigest`). */
  content: string
  lexicons: Record<string, string>
  sentences: SegmentEntry[]
  tables: Tables
  coverage: Coverage
}

/** Writes the rest of the release, seals it under its id and puts it in service in one step, once all of it is on the disk. Gives its id. */
export async function sealRelease(sealing: Sealing): Promise<string> {
  const { options, asideFolder, ledger, report, content, tables, sentences } = sealing
  const { outFolder } = options
  const release = releaseId(ledger.releases + 1, content)
  const clips = new ClipTable(joinBytes(tables['clips.bin']), 'clips.bin')
  const words = tables.wordTable
  const publish = (path: string, text: string) => {
    if (!existsSync(join(outFolder, path))) writeAside(asideFolder, join(outFolder, path), Buffer.from(text))
  }
  const index = writeIndex({ words, clips }, publish)
  const coverage = JSON.stringify(sealing.coverage)
  const corpus = corpusPath(nameDigest(coverage))
  writeAside(asideFolder, join(outFolder, corpus), Buffer.from(coverage))
  const naming = { manifest: { corpus, index, sentences }, clips, words }
  const files = {
    'clips.bin': tables['clips.bin'],
    'words.bin': tables['words.bin'],
    'search.bin': tables['search.bin'],
    'postings.bin': tables['postings.bin'],
    'changes.json': [...changesText(changesOf(sealing, release, naming))].map((text) => Buffer.from(text)),
    'report.json': [Buffer.from(toText(report))],
  }
  const manifest = newManifest({
    release,
    tree: ledger.tree,
    builtAtMs: options.clock.now(),
    content,
    ordinals: ledger.ordinals,
    corpus,
    index,
    sentences,
    files: mapValues(files, digestOf),
    lexicons: sealing.lexicons,
  })
  await writeRelease(outFolder, asideFolder, release, { ...files, 'manifest.json': toText(manifest) })
  writeAside(asideFolder, join(outFolder, cdnHeadersPath), Buffer.from(cdnHeaders))
  await syncFolder(outFolder)
  ledger.releases++
  ledger.release = release
  await writeLedger(outFolder, ledger)
  await pointTo(outFolder, release)
  return release
}

function mapValues<Key extends string, In, Out>(record: Record<Key, In>, toOut: (value: In) => Out) {
  const entries = Object.entries<In>(record).map(([key, value]) => [key, toOut(value)])
  return Object.fromEntries(entries) as Record<Key, Out>
}

function changesOf(
  { ledger, before: { opened }, plan, tables }: Sealing,
  release: string,
  naming: Naming,
): Changes {
  const words = tables.wordTable
  const files = fileChanges(opened, naming, plan)
  if (!opened)
    return { ...allAdded({ release, words }, [...plan.stay.keys(), ...plan.publish.keys()]), files }
  const postings = new PostingsTable(joinBytes(tables['postings.bin']), 'postings.bin')
  const said = (clipId: string) => {
    const { language, ordinal } = ledger.entries.get(clipId)!
    return postings.postings(language, ordinal)
  }
  const before = indexedRelease(opened.manifest.release, opened)
  return { ...changesBetween(before, { release, words, said }, plan), files }
}

async function writeRelease(
  outFolder: string,
  asideFolder: string,
  release: string,
  files: Record<ReleaseFile, string | readonly Uint8Array[]>,
): Promise<void> {
  const folder = join(outFolder, 'releases', release)
  const aside = join(asideFolder, 'release')
  for (const [name, content] of Object.entries(files))
    await atomicWrite(join(aside, name), content, { sync: false })
  await rm(folder, { recursive: true, force: true })
  moveFile(aside, folder)
}

function digestOf(pieces: readonly Uint8Array[]): string {
  const digest = createHash('sha256')
  for (const piece of pieces) digest.update(piece)
  return digest.digest('hex')
}

function toText(value: unknown): string {
  return JSON.stringify(value, null, 1) + '\n'
}
