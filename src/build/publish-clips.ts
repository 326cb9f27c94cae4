import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clipPath, transcriptPath } from '#release/paths.ts'
import type { Crew } from './crew.ts'
import { asideRecord, asideTranscript } from './hand.ts'
import { nextOrdinal, type Ledger, type LedgerEntry } from '#tree/ledger.ts'
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
export function enterClips(plan: Plan, ledger: Ledger, outFolder: string): Published[] {
  const published: Published[] = []
  for (const [clipId, surveyed] of plan.publish) {
    const before = ledger.entries.get(clipId)
    const next = (before?.revision ?? 0) + 1
    const revision = ledger.inherited ? firstFreeRevision(outFolder, clipId, next) : next
    const rendered = surveyed.rendered!
    surveyed.rendered = null
    const entry = entryOf(surveyed, rendered, before, revision, ledger)
    ledger.entries.set(clipId, entry)
    published.push({ entry, rendered })
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

/** How many clips a hand moves in one order. */
const clipsAnOrder = 500

/**
 * Puts the records and transcripts that lie aside under their names, and gives each clip when it is there, so that some are gone on with while others are moved.
 * `published` is emptied: what was rendered is let go of clip by clip.
 */
export async function* movedIntoPlace(
  published: Published[],
  crew: Crew,
  folders: { outFolder: string; asideFolder: string },
): AsyncGenerator<Published> {
  const moving: Published[][] = []
  const orders = ordersOf(published).map((clips): [Move[]] => {
    moving.push(clips)
    return [clips.flatMap((clip) => movesOf(clip, folders))]
  })
  for await (const _ of crew.each('move', orders)) yield* moving.shift()!
}

function movesOf(
  { entry: { clipId, revision }, rendered: { slot } }: Published,
  { outFolder, asideFolder }: { outFolder: string; asideFolder: string },
): Move[] {
  return [
    [asideRecord(asideFolder, slot), join(outFolder, clipPath(clipId, revision))],
    [asideTranscript(asideFolder, slot), join(outFolder, transcriptPath(clipId, revision))],
  ]
}

function* ordersOf(published: Published[]): Generator<Published[]> {
  while (published.length > 0) yield published.splice(0, clipsAnOrder)
}
