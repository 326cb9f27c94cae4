import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clipPath, transcriptPath } from '#release/paths.ts'
import type { Crew } from './crew.ts'
import { asideRecord, asideTranscript } from './hand.ts'
import { nextOrdinal, type Ledger, type LedgerEntry } from './ledger.ts'
import type { Plan } from './plan.ts'
import type { Surveyed } from './survey.ts'
import type { Move, RenderedClip } from './tasks.ts'

/** A clip that is published tonight: its entry in the ledger, and what was rendered of it. */
export interface Published {
  entry: LedgerEntry
  rendered: RenderedClip
}

/**
 * Enters the clips that are published tonight in the ledger: each gets its name and, where it is new, its ordinal. Nothing is written yet.
 *
 * Where the tree is inherited, names under `data/` that are taken were published by one whose ledger is gone: they keep their bytes.
 */
export function enterClips(plan: Plan, ledger: Ledger, outFolder: string): Map<string, Published> {
  const published = new Map<string, Published>()
  for (const [clipId, surveyed] of plan.publish) {
    const before = ledger.entries.get(clipId)
    const next = (before?.revision ?? 0) + 1
    const revision = ledger.inherited ? firstFreeRevision(outFolder, clipId, next) : next
    const rendered = surveyed.rendered!
    surveyed.rendered = null
    const entry = entryOf(surveyed, rendered, before, revision, ledger)
    ledger.entries.set(clipId, entry)
    published.set(clipId, { entry, rendered })
  }
  return published
}

function entryOf(
  { clipId, videoId, language, file, digest }: Surveyed,
  { recordDigest, transcriptDigest, traits }: RenderedClip,
  before: LedgerEntry | undefined,
  revision: number,
  ledger: Ledger,
): LedgerEntry {
  const ordinal = before?.language === language ? before.ordinal : nextOrdinal(ledger, language)
  return {
    clipId,
    videoId,
    language,
    ordinal,
    revision,
    firstRelease: before?.firstRelease ?? ledger.releases + 1,
    source: file,
    sourceDigest: digest,
    recordDigest,
    transcriptDigest,
    traits,
  }
}

function firstFreeRevision(outFolder: string, clipId: string, from: number): number {
  for (let revision = from; ; revision++) {
    const paths = [clipPath(clipId, revision), transcriptPath(clipId, revision)]
    if (!paths.some((path) => existsSync(join(outFolder, path)))) return revision
  }
}

/** How many files a hand moves in one order. */
const movesAnOrder = 1_000

/** Puts the records and transcripts that lie aside under their names. */
export async function moveIntoPlace(
  published: Iterable<Published>,
  crew: Crew,
  { outFolder, asideFolder }: { outFolder: string; asideFolder: string },
): Promise<void> {
  const orders = ordersOf(published, ({ entry: { clipId, revision }, rendered: { slot } }) => [
    [asideRecord(asideFolder, slot), join(outFolder, clipPath(clipId, revision))],
    [asideTranscript(asideFolder, slot), join(outFolder, transcriptPath(clipId, revision))],
  ])
  for await (const _ of crew.each('move', orders)) void _
}

function* ordersOf(
  published: Iterable<Published>,
  movesOf: (clip: Published) => Move[],
): Generator<[Move[]]> {
  let order: Move[] = []
  for (const clip of published) {
    order.push(...movesOf(clip))
    if (order.length < movesAnOrder) continue
    yield [order]
    order = []
  }
  if (order.length > 0) yield [order]
}
