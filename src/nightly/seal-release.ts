import { access, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '#corpus/problem.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest, sha256 } from '#kit/digest.ts'
import { newManifest } from '#release/manifest.ts'
import {
  cdnHeadersPath,
  corpusPath,
  currentPath,
  ledgerPath,
  releaseId,
  type ReleaseFile,
} from '#release/paths.ts'
import { formatRows, type WordRow } from '#release/tables.ts'
import type { BuildOptions } from './build-options.ts'
import { cdnHeaders } from './cdn-headers.ts'
import { changesBetween } from './changes.ts'
import { formatLedger, type Ledger } from './ledger.ts'
import type { Plan } from './plan.ts'
import type { ReleaseBefore } from './release-before.ts'
import { pageFile, type ReleaseInTheMaking } from './release-in-the-making.ts'

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
  const words = making.wordRows(await writeWordPages(outFolder, making))
  const tables = { 'clips.jsonl': formatRows(making.clipRows()), 'words.jsonl': formatRows(words) }
  const coverage = JSON.stringify(making.coverage())
  const content = hash([
    tables['clips.jsonl'],
    tables['words.jsonl'],
    coverage,
    JSON.stringify(ledger.ordinals),
    JSON.stringify(report),
  ])
  if (before.manifest?.content === content) {
    await atomicWrite(join(outFolder, ledgerPath), formatLedger(ledger), { sync: true })
    return { release: before.manifest.release, isNew: false }
  }

  ledger.releases++
  const release = releaseId(ledger.releases, content)
  ledger.release = release
  const corpus = corpusPath(nameDigest(coverage))
  await writeOnce(join(outFolder, corpus), coverage)
  const manifest = newManifest({
    release,
    tree: ledger.tree,
    builtAtMs: clock.now(),
    content,
    ordinals: ledger.ordinals,
    corpus,
    tables: { 'clips.jsonl': hash([tables['clips.jsonl']]), 'words.jsonl': hash([tables['words.jsonl']]) },
  })
  const from = before.manifest && { release: before.manifest.release, words: before.words }
  await writeRelease(outFolder, release, {
    ...tables,
    'changes.json': toText(changesBetween(from, { release, words }, plan)),
    'report.json': toText(report),
    'manifest.json': toText(manifest),
  })
  await atomicWrite(join(outFolder, cdnHeadersPath), cdnHeaders, { sync: true })
  await atomicWrite(join(outFolder, ledgerPath), formatLedger(ledger), { sync: true })
  await pointTo(outFolder, release)
  return { release, isNew: true }
}

/** Makes a release current: the one step that publishes it. */
export async function pointTo(outFolder: string, release: string): Promise<void> {
  await atomicWrite(join(outFolder, currentPath), toText({ release }), { sync: true })
}

async function writeWordPages(
  outFolder: string,
  making: ReleaseInTheMaking,
): Promise<Map<number, WordRow['pages']>> {
  const pagesOf = new Map<number, WordRow['pages']>()
  for await (const { wordId, pages } of making.wordPages()) {
    for (const page of pages) await writeOnce(join(outFolder, page.path), page.text)
    pagesOf.set(wordId, pages.map(pageFile))
  }
  return pagesOf
}

/** Writes a file whose name tells its content, unless it is there. */
async function writeOnce(path: string, text: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (!isThere) await atomicWrite(path, text, { sync: false })
}

async function writeRelease(
  outFolder: string,
  release: string,
  files: Record<ReleaseFile, string>,
): Promise<void> {
  const folder = join(outFolder, 'releases', release)
  const aside = join(outFolder, 'releases', `.${release}.${process.pid}`)
  for (const [name, text] of Object.entries(files)) await atomicWrite(join(aside, name), text, { sync: true })
  await rm(folder, { recursive: true, force: true })
  await rename(aside, folder)
}

function hash(parts: readonly string[]): string {
  return sha256(parts.join('\0')).toString('hex')
}

function toText(value: unknown): string {
  return JSON.stringify(value, null, 1) + '\n'
}
