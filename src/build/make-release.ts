import type { Catalogue } from '#corpus/read-catalogue.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import type { State } from '#tree/state.ts'
import type { BuildOptions } from './build-options.ts'
import { indexClips } from './index-clips.ts'
import { contentDigest, lexiconDigests } from './input-digest.ts'
import type { Plan } from './plan.ts'
import type { PreviousRelease } from './previous-release.ts'
import { ReleaseBuilder, type Tables } from './release-builder.ts'
import { renderClips } from './render-clips.ts'
import { sealRelease, type BuildReport } from './seal-release.ts'
import type { SegmentRange } from './speech-spool.ts'
import type { WorkerPool } from './worker-pool.ts'

interface Making {
  options: BuildOptions
  catalogue: Catalogue
  state: State
  before: PreviousRelease
  pool: WorkerPool
  workFolder: string
  plan: Plan
  report: BuildReport
  /** Whether the build builds on the previous release. */
  isIncremental: boolean
}

/**
 * Builds the planned release and seals it.
 *
 * If its content would be that of the previous release, nothing is built and that one stays the
 * last.
 */
export async function makeRelease(making: Making): Promise<{ release: string; isNew: boolean }> {
  const { options, catalogue, state, before, workFolder, plan, report } = making
  const { opened } = before
  if (plan.published === 0 && opened?.manifest.content === contentOf(making)) {
    state.commit()
    return { release: opened.manifest.release, isNew: false }
  }
  const lexicons = lexiconDigests(catalogue)
  const made = await indexAll(making, lexicons)
  options.onProgress?.({ step: 'sync' })
  const sealing = { options, workFolder, catalogue, state, opened, plan, report, lexicons, ...made }
  return { release: await sealRelease({ ...sealing, content: contentOf(making) }), isNew: true }
}

/**
 * Publishes and indexes the clips of the plan, and writes the lists of words. What it collects in
 * memory can be freed once it returns the tables.
 */
async function indexAll(
  making: Making,
  lexicons: Readonly<Record<string, string>>,
): Promise<{ tables: Tables; sentences: SegmentEntry[] }> {
  const { options, catalogue, state, before, pool, plan } = making
  const { outFolder, segmentOrdinals, onProgress = () => {} } = options
  const { opened } = before
  const builder = new ReleaseBuilder(catalogue)
  const { changed, segments } = await indexClips({
    plan,
    state,
    opened,
    carried: carriedLanguages(making, lexicons),
    published: renderClips(state, pool, plan.published, onProgress),
    pool,
    builder,
    segmentOrdinals,
    onProgress,
  })
  await pool.flush()
  const lists = await changed.lists(pool, (done, total) => onProgress({ step: 'list', done, total }))
  const { sentences, heard } = await writeSentences(pool, segments)
  onProgress({ step: 'tables' })
  // Threads hold as much memory as the tables need.
  await pool.end()
  // The disk works while the tables are built.
  const syncing = syncFolder(outFolder)
  // Its error is thrown where it is awaited, unless building the tables fails before.
  syncing.catch(() => {})
  const tables = builder.tables(lists, state.head.ordinals, heard)
  await syncing
  return { tables, sentences }
}

/** Writes the sentence index. Returns with it the forms that words were heard in, by word id. */
async function writeSentences(
  pool: WorkerPool,
  segments: readonly SegmentRange[],
): Promise<{ sentences: SegmentEntry[]; heard: Map<number, Set<string>> }> {
  const sentences: SegmentEntry[] = []
  const heard = new Map<number, Set<string>>()
  for await (const [, written] of pool.each('sentences', segments)) {
    sentences.push(written.entry)
    for (const [wordId, forms] of written.heard)
      heard.set(wordId, forms.union(heard.get(wordId) ?? new Set()))
  }
  const byName = (a: SegmentEntry, b: SegmentEntry) =>
    a.language === b.language ? a.firstOrdinal - b.firstOrdinal : a.language < b.language ? -1 : 1
  return { sentences: sentences.sort(byName), heard }
}

/** Source edits of clips that keep their record do not count: they make no new release. */
function contentOf({ catalogue, state, plan, report }: Making): string {
  const { rejected, warnings } = report
  const told = { rejected: rejected.filter((problem) => !plan.keptInvalid.includes(problem)), warnings }
  return contentDigest(catalogue, state, [JSON.stringify(state.head.ordinals), JSON.stringify(told)])
}

/**
 * The languages whose catalogue has not changed since the previous release: its index holds for
 * them.
 */
function carriedLanguages(
  { before, isIncremental }: Making,
  lexicons: Readonly<Record<string, string>>,
): Set<string> {
  if (!isIncremental) return new Set()
  const known = before.opened?.manifest.lexicons ?? {}
  const languages = before.opened?.clips.languages ?? []
  return new Set(languages.filter((language) => known[language] === lexicons[language]))
}
