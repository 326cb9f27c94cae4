import type { Catalogue } from '#corpus/read-catalogue.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import type { BuildOptions } from './build-options.ts'
import { indexClips } from './index-clips.ts'
import { contentDigest, lexiconDigests } from './input-digest.ts'
import { writeLedger, type Ledger, type LedgerEntry } from '#tree/ledger.ts'
import type { Plan } from './plan.ts'
import type { Tell } from './progress.ts'
import { enterClips, movedIntoPlace } from './publish-clips.ts'
import type { ReleaseBefore } from './release-before.ts'
import { ReleaseInTheMaking } from './release-in-the-making.ts'
import { SentenceSegments } from './sentence-segments.ts'
import { sealRelease, type BuildReport } from './seal-release.ts'
import type { Workshop } from './workshop.ts'

interface Making {
  options: BuildOptions
  catalogue: Catalogue
  ledger: Ledger
  before: ReleaseBefore
  workshop: Workshop
  plan: Plan
  report: BuildReport
  /** The slots of clips that were rendered and are not published. */
  dropped: ReadonlySet<number>
  /** Whether the index of the release before may be gone on from. */
  goOn: boolean
  tell: Tell
}

/**
 * Makes the release that the plan comes to and puts it into service.
 *
 * Where it would be made from just what the release before was made from, nothing is made and that one stays.
 */
export async function makeRelease(making: Making): Promise<{ release: string; isNew: boolean }> {
  const { options, catalogue, ledger, before, workshop, plan, report, dropped, goOn, tell } = making
  const { outFolder } = options
  const { asideFolder, crew } = workshop
  const isNews = enterStanding(plan, ledger)
  const published = enterClips(plan, ledger, outFolder)
  const content = contentDigest(catalogue, liveEntries(plan, ledger), [
    JSON.stringify(ledger.ordinals),
    JSON.stringify(report),
  ])
  if (before.opened?.manifest.content === content) {
    if (isNews) await writeLedger(outFolder, ledger)
    return { release: before.opened.manifest.release, isNew: false }
  }

  tell({ step: 'move' })
  const lexicons = lexiconDigests(catalogue)
  const release = new ReleaseInTheMaking(catalogue)
  const segmentsBefore = goOn ? (before.opened?.manifest.sentences ?? []) : []
  const sentences = new SentenceSegments({ outFolder, asideFolder }, segmentsBefore)
  const touched = await indexClips({
    plan,
    ledger,
    before,
    goOn,
    published: movedIntoPlace(published, crew, { outFolder, asideFolder }),
    lexicons,
    crew,
    making: release,
    sentences,
    tell,
  })
  await crew.all('flush', [])
  const lists = await touched.lists(crew, dropped, (done, total) => tell({ step: 'list', done, total }))
  tell({ step: 'tables' })
  // What the threads hold is as much as the tables need.
  await crew.dismiss()
  const segments = sentences.finish()
  // The disk is at work on what there is while the tables are made.
  const syncing = syncFolder(outFolder)
  // Its fault is told where it is waited for; should the tables fail before, by theirs.
  syncing.catch(() => {})
  const tables = release.tables(lists, ledger.ordinals)
  const coverage = release.coverage(lists)
  await syncing
  tell({ step: 'sync' })
  const sealing = {
    options,
    asideFolder,
    ledger,
    before,
    plan,
    report,
    content,
    lexicons,
    sentences: segments,
    tables,
    coverage,
  }
  return { release: await sealRelease(sealing), isNew: true }
}

/** Notes in which files the clips that stay stand now, and which clips are withdrawn; gives whether that is news. */
function enterStanding(plan: Plan, ledger: Ledger): boolean {
  let isNews = false
  for (const [clipId, source] of plan.stay) {
    const entry = ledger.entries.get(clipId)!
    isNews ||= entry.source !== source || entry.withdrawn === true
    entry.source = source
    delete entry.withdrawn
  }
  for (const clipId of plan.withdrawn) ledger.entries.get(clipId)!.withdrawn = true
  return isNews || plan.withdrawn.length > 0
}

/** The clips of the release, by language and ordinal. */
function liveEntries(plan: Plan, ledger: Ledger): LedgerEntry[] {
  const clipIds = [...plan.stay.keys(), ...plan.publish.keys()]
  return clipIds
    .map((clipId) => ledger.entries.get(clipId)!)
    .sort((a, b) => (a.language < b.language ? -1 : Number(a.language > b.language)) || a.ordinal - b.ordinal)
}
