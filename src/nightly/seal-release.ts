import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '#corpus/problem.ts'
import { atomicWrite, writeRecord } from '#kit/atomic-write.ts'
import { nameDigest, sha256 } from '#kit/digest.ts'
import { newManifest } from '#release/manifest.ts'
import { cdnHeadersPath, corpusPath, currentPath, releaseId, type ReleaseFile } from '#release/paths.ts'
import type { ClipList } from '#release/word-table.ts'
import type { BuildOptions } from './build-options.ts'
import { cdnHeaders } from './cdn-headers.ts'
import { changesBetween } from './changes.ts'
import { writeLedger, type Ledger } from './ledger.ts'
import type { Plan } from './plan.ts'
import type { ReleaseBefore } from './release-before.ts'
import type { ReleaseInTheMaking } from './release-in-the-making.ts'

interface Sealing {
  options: BuildOptions
  ledger: Ledger
  before: ReleaseBefore
  plan: Plan
  making: ReleaseInTheMaking
  report: { rejected: Problem[]; kept: Plan['kept']; warnings: Problem[] }
}

/**
 * Writes what is left of the release, seals it under its id and makes it current in one step.
 *
 * Where it would say just what the release before says, nothing is made and that one stays.
 */
export async function sealRelease({
  options,
  ledger,
  before,
  plan,
  making,
  report,
}: Sealing): Promise<{ release: string; isNew: boolean }> {
  const { outFolder, clock } = options
  const tables = making.tables(await writeWordPages(outFolder, making), ledger.ordinals)
  const digests = {
    'clips.bin': digestOf(tables['clips.bin']),
    'words.bin': digestOf(tables['words.bin']),
    'search.bin': digestOf(tables['search.bin']),
  }
  const coverage = JSON.stringify(making.coverage())
  const content = hash([
    ...Object.values(digests),
    coverage,
    JSON.stringify(ledger.ordinals),
    JSON.stringify(report),
  ])
  if (before.manifest?.content === content) {
    await writeLedger(outFolder, ledger)
    return { release: before.manifest.release, isNew: false }
  }

  ledger.releases++
  const release = releaseId(ledger.releases, content)
  ledger.release = release
  const corpus = corpusPath(nameDigest(coverage))
  writeOnce(join(outFolder, corpus), coverage)
  const manifest = newManifest({
    release,
    tree: ledger.tree,
    builtAtMs: clock.now(),
    content,
    ordinals: ledger.ordinals,
    corpus,
    tables: digests,
  })
  const from = before.manifest && before.words && { release: before.manifest.release, words: before.words }
  await writeRelease(outFolder, release, {
    'clips.bin': tables['clips.bin'],
    'words.bin': tables['words.bin'],
    'search.bin': tables['search.bin'],
    'changes.json': toText(changesBetween(from, { release, words: tables.wordTable }, plan)),
    'report.json': toText(report),
    'manifest.json': toText(manifest),
  })
  await atomicWrite(join(outFolder, cdnHeadersPath), cdnHeaders, { sync: true })
  await writeLedger(outFolder, ledger)
  await pointTo(outFolder, release)
  return { release, isNew: true }
}

/** Makes a release current: the one step that publishes it. */
export async function pointTo(outFolder: string, release: string): Promise<void> {
  await atomicWrite(join(outFolder, currentPath), toText({ release }), { sync: true })
}

async function writeWordPages(outFolder: string, making: ReleaseInTheMaking): Promise<Map<number, ClipList>> {
  const lists = new Map<number, ClipList>()
  for await (const { wordId, pages, list } of making.wordPages()) {
    for (const page of pages) writeOnce(join(outFolder, page.path), page.text)
    lists.set(wordId, list)
  }
  return lists
}

/** Writes a file whose name tells its content, unless it is there. */
function writeOnce(path: string, text: string): void {
  if (!existsSync(path)) writeRecord(path, text)
}

async function writeRelease(
  outFolder: string,
  release: string,
  files: Record<ReleaseFile, string | readonly Uint8Array[]>,
): Promise<void> {
  const folder = join(outFolder, 'releases', release)
  const aside = join(outFolder, 'releases', `.${release}.${process.pid}`)
  for (const [name, text] of Object.entries(files)) await atomicWrite(join(aside, name), text, { sync: true })
  await rm(folder, { recursive: true, force: true })
  await rename(aside, folder)
}

function digestOf(pieces: readonly Uint8Array[]): string {
  const digest = createHash('sha256')
  for (const piece of pieces) digest.update(piece)
  return digest.digest('hex')
}

function hash(parts: readonly string[]): string {
  return sha256(parts.join('\0')).toString('hex')
}

function toText(value: unknown): string {
  return JSON.stringify(value, null, 1) + '\n'
}
