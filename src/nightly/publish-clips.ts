import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clip } from '#contract/clip.ts'
import { toDate } from '#contract/dates.ts'
import type { Transcript } from '#contract/transcript.ts'
import { parseClip } from '#corpus/parse-clip.ts'
import { readClips } from '#corpus/read-clips.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { indexClip } from '#indexing/index-clip.ts'
import { writeRecord } from '#kit/atomic-write.ts'
import { shortDigest } from '#kit/digest.ts'
import { clipPath, transcriptPath } from '#release/paths.ts'
import { renderClip } from '#rendering/clip.ts'
import { renderTranscript } from '#rendering/transcript.ts'
import type { BuildOptions } from './build-options.ts'
import { BuildStopped } from './build-stopped.ts'
import { nextOrdinal, type Ledger, type LedgerEntry } from './ledger.ts'
import type { Plan } from './plan.ts'
import type { ReleaseInTheMaking } from './release-in-the-making.ts'
import { sourceDigest, type Surveyed } from './survey.ts'
import { tokenisedFromPublished, tokenisedFromSource, unpublishedTraits } from './tokenised-clip.ts'

export interface PublishOptions extends BuildOptions {
  /** Names under `data/` that are taken were published by a tree whose ledger is gone: they keep their bytes. */
  keepNames: boolean
}

/**
 * Writes the records that are new and brings every clip of the plan into the release: new ones from the source, the others as published.
 *
 * @throws {BuildStopped} a source file changed since it was surveyed
 */
export async function publishClips(
  options: PublishOptions,
  plan: Plan,
  ledger: Ledger,
  making: ReleaseInTheMaking,
): Promise<void> {
  for (const [clipId, source] of plan.stay) {
    const entry = ledger.entries.get(clipId)!
    entry.source = source
    await bringPublished(options.outFolder, entry, making)
  }
  const wanted = new Map([...plan.publish.values()].map((surveyed) => [placeKey(surveyed), surveyed]))
  if (wanted.size === 0) return
  for await (const item of readClips(options.corpusFolder)) {
    const surveyed = wanted.get(placeKey(item))
    if (!surveyed) continue
    const parsed = item.text === null ? null : parseClip(item.text)
    if (!parsed?.ok || sourceDigest(parsed.value) !== surveyed.digest) {
      throw new BuildStopped(`"${item.file}" changed while it was read: nothing was published`)
    }
    await publish(options, surveyed, parsed.value, ledger, making)
  }
}

function placeKey({ file, line }: { file: string; line?: number }): string {
  return `${file}:${line ?? ''}`
}

async function bringPublished(
  outFolder: string,
  entry: LedgerEntry,
  making: ReleaseInTheMaking,
): Promise<void> {
  const read = <T>(path: string) => JSON.parse(readFileSync(join(outFolder, path), 'utf8')) as T
  const record = read<Clip>(clipPath(entry.clipId, entry.revision))
  const transcript = read<Transcript>(transcriptPath(entry.clipId, entry.revision))
  const cues = tokenisedFromPublished(transcript, entry)
  await making.add({ record, cues }, indexClip(cues, making.lexicon(record.language)), entry)
}

async function publish(
  { outFolder, urls, clock, keepNames }: PublishOptions,
  surveyed: Surveyed,
  source: SourceClip,
  ledger: Ledger,
  making: ReleaseInTheMaking,
): Promise<void> {
  const before = ledger.entries.get(surveyed.clipId)
  const next = (before?.revision ?? 0) + 1
  const revision = keepNames ? firstFreeRevision(outFolder, surveyed.clipId, next) : next
  const cues = tokenisedFromSource(source)
  const index = indexClip(cues, making.lexicon(source.language))
  const record = renderClip(source, urls, index.hits.size, toDate(clock.now()))
  const recordText = JSON.stringify(record)
  const transcriptText = JSON.stringify(renderTranscript(source, cues, index.wordIds))
  writeRecord(join(outFolder, clipPath(surveyed.clipId, revision)), recordText)
  writeRecord(join(outFolder, transcriptPath(surveyed.clipId, revision)), transcriptText)
  const entry: LedgerEntry = {
    clipId: surveyed.clipId,
    videoId: source.videoId,
    language: source.language,
    ordinal: before?.language === source.language ? before.ordinal : nextOrdinal(ledger, source.language),
    revision,
    source: surveyed.file,
    sourceDigest: surveyed.digest,
    recordDigest: shortDigest(recordText),
    transcriptDigest: shortDigest(transcriptText),
    ...unpublishedTraits(cues),
  }
  ledger.entries.set(surveyed.clipId, entry)
  await making.add({ record, cues }, index, entry)
}

function firstFreeRevision(outFolder: string, clipId: string, from: number): number {
  for (let revision = from; ; revision++) {
    if (!existsSync(join(outFolder, clipPath(clipId, revision)))) return revision
  }
}
