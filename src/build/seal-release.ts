import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Coverage } from '#contract/corpus.ts'
import type { Problem } from '#corpus/problem.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { newManifest } from '#release/manifest.ts'
import { cdnHeadersPath, corpusPath, currentPath, releaseId, type ReleaseFile } from '#release/paths.ts'
import { PostingsTable } from '#release/postings/table.ts'
import { moveFile, writeAside } from './aside.ts'
import type { BuildOptions } from './build-options.ts'
import { cdnHeaders } from './cdn-headers.ts'
import { allAdded, changesBetween, indexedRelease, type Changes } from '#tree/changes.ts'
import { writeLedger, type Ledger } from '#tree/ledger.ts'
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
  tables: Tables
  coverage: Coverage
}

/** Writes what is left of the release, seals it under its id and makes it current in one step, when all of it is on the disk. Gives its id. */
export async function sealRelease(sealing: Sealing): Promise<string> {
  const { options, asideFolder, ledger, report, content, tables } = sealing
  const { outFolder } = options
  ledger.releases++
  const release = releaseId(ledger.releases, content)
  ledger.release = release
  const coverage = JSON.stringify(sealing.coverage)
  const corpus = corpusPath(nameDigest(coverage))
  writeAside(asideFolder, join(outFolder, corpus), Buffer.from(coverage))
  await writeRelease(outFolder, asideFolder, release, {
    'clips.bin': tables['clips.bin'],
    'words.bin': tables['words.bin'],
    'search.bin': tables['search.bin'],
    'postings.bin': tables['postings.bin'],
    'changes.json': toText(changesOf(sealing, release)),
    'report.json': toText(report),
    'manifest.json': toText(manifestOf(sealing, release, corpus)),
  })
  writeAside(asideFolder, join(outFolder, cdnHeadersPath), Buffer.from(cdnHeaders))
  await syncFolder(outFolder)
  await writeLedger(outFolder, ledger)
  await pointTo(outFolder, release)
  return release
}

/** Makes a release current: the one step that publishes it. */
export async function pointTo(outFolder: string, release: string): Promise<void> {
  await atomicWrite(join(outFolder, currentPath), toText({ release }), { sync: true })
}

function changesOf({ ledger, before: { opened }, plan, tables }: Sealing, release: string): Changes {
  const words = tables.wordTable
  if (!opened) return allAdded({ release, words }, [...plan.stay.keys(), ...plan.publish.keys()])
  const postings = new PostingsTable(joinBytes(tables['postings.bin']), 'postings.bin')
  const said = (clipId: string) => {
    const { language, ordinal } = ledger.entries.get(clipId)!
    return postings.postings(language, ordinal)
  }
  return changesBetween(indexedRelease(opened.manifest.release, opened), { release, words, said }, plan)
}

function manifestOf(
  { options, ledger, content, lexicons, tables }: Sealing,
  release: string,
  corpus: string,
) {
  return newManifest({
    release,
    tree: ledger.tree,
    builtAtMs: options.clock.now(),
    content,
    ordinals: ledger.ordinals,
    corpus,
    tables: {
      'clips.bin': digestOf(tables['clips.bin']),
      'words.bin': digestOf(tables['words.bin']),
      'search.bin': digestOf(tables['search.bin']),
      'postings.bin': digestOf(tables['postings.bin']),
    },
    lexicons,
  })
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
