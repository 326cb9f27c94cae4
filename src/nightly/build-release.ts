import { join } from 'node:path'
import type { Clip } from '#contract/clip.ts'
import { batches } from '#kit/batches.ts'
import { collectNow } from '#kit/collect-garbage.ts'
import { nameDigest, shortDigest } from '#kit/digest.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import { formatVersion } from '#release/manifest.ts'
import { corpusPath } from '#release/paths.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import type { ClipList } from '#release/words/layout.ts'
import type { PublishedClip, State } from '#tree/state.ts'
import type { OnProgress } from './build-options.ts'
import { buildTables, countWords } from './build-tables.ts'
import type { ClipGroup, WorkerContext } from './build-worker.ts'
import type { ClipCache } from './clip-cache.ts'
import { lexiconDigest } from './digests.ts'
import { CoverageCounter } from './index/coverage.ts'
import { IndexFilesWriter } from './index-files.ts'
import { bucketCount } from './list-word.ts'
import type { Plan } from './plan.ts'
import { isPublishedNow, type PlannedClip } from './planned-clip.ts'
import { toFeedClip } from './render/records.ts'
import type { BuiltSegment, SegmentRange } from './segments.ts'
import type { WorkerPool } from './worker-pool.ts'
import { writeMissing } from './write-file.ts'

/**
 * The number of neighbouring clips in a cached group: compressing each alone takes twice as long.
 */
const ordinalsPerGroup = 64
/** The number of groups that a worker indexes, and then adds to the spool, in one call. */
const groupsPerCall = 4

/** The segments of the sentence index, each with the cache keys of the groups in it. */
type Segments = Map<string, { range: SegmentRange; groupKeys: Set<string> }>

interface Inputs {
  plan: Plan
  state: State
  cache: ClipCache
  pool: WorkerPool
  onProgress: OnProgress | undefined
}

/** Collects the clips of a release for its table, its index and its coverage. */
class ClipCollector {
  readonly table: ClipTableWriter
  readonly indexFiles: IndexFilesWriter
  readonly coverage = new CoverageCounter()

  constructor({ outFolder, workFolder }: WorkerContext, ordinals: Readonly<Record<string, number>>) {
    this.table = new ClipTableWriter(ordinals, workFolder)
    this.indexFiles = new IndexFilesWriter((path, text) =>
      writeMissing(workFolder, join(outFolder, path), text),
    )
  }

  /** Adds a clip. Clips come by language and ordinal. */
  add(clip: PublishedClip, record: Clip, terms: Uint8Array): void {
    const feedClip = toFeedClip(record)
    const { wordCount } = record
    this.table.add({ ...clip, clip: feedClip, wordCount, indexedAtMs: Date.parse(record.indexedAt), terms })
    this.indexFiles.addClip(feedClip, clip.ordinal, clip.revision)
    this.coverage.add(feedClip)
  }
}

/** The parts of a release, without its name and its seal. */
export type ReleaseParts = Awaited<ReturnType<typeof buildRelease>>

/**
 * Publishes and indexes the clips of the plan, and writes the lists of words, the sentence index,
 * the index files and the coverage record. Then builds the tables, whose columns stay in memory
 * until `sealRelease` has written them.
 */
export async function buildRelease(inputs: Inputs) {
  const { state, pool, onProgress } = inputs
  const { outFolder, workFolder, catalogue, hasAnalysers } = pool.context
  const clips = new ClipCollector(pool.context, state.head.ordinals)
  const segments = await indexClips(inputs, clips)
  // While the threads write, this one allocates little, so V8 would not collect its garbage.
  if (pool.hasThreads) collectNow()
  // Both at once, so that no thread is idle while another one writes the last segment.
  const [{ sentences, spokenForms }, lists] = await Promise.all([
    writeSegments(inputs, segments),
    writeLists(inputs),
  ])
  onProgress?.({ step: 'tables' })
  // A large build (with threads) syncs early, so that the disk works while tables are built.
  const syncing = pool.hasThreads ? syncFolder(outFolder) : null
  // Its error is thrown where it is awaited, unless building the tables fails first.
  syncing?.catch(() => {})
  // Threads hold as much memory as the tables need.
  await pool.end()
  const words = countWords(catalogue, lists, spokenForms)
  const tables = buildTables(words, clips.table, catalogue, hasAnalysers)
  const index = clips.indexFiles.finish(words)
  const clipCounts = new Map(words.map(({ wordId, clipCount }) => [wordId, clipCount]))
  const coverage = JSON.stringify(clips.coverage.finish(catalogue, ({ wordId }) => clipCounts.get(wordId)!))
  const corpus = corpusPath(nameDigest(coverage))
  writeMissing(workFolder, join(outFolder, corpus), coverage)
  await syncing
  return { words, tables, index, corpus, sentences }
}

/**
 * Indexes every clip of the release, and publishes the new ones. Collects the clips in the order of
 * rows, and stores their new data. Returns the contents of the segments of the sentence index.
 */
async function indexClips(inputs: Inputs, collector: ClipCollector): Promise<Segments> {
  const { plan, state, cache, pool, onProgress } = inputs
  const total = plan.clips.length
  const { segmentOrdinals } = pool.context
  const segments: Segments = new Map()
  const keyOf = cacheKeys(pool.context)
  const toIndex = (group: readonly PlannedClip[]): ClipGroup => {
    const isPublished = group.every(({ source }) => source === null)
    const cachedGroup = isPublished ? cache.get(keyOf(group.map(({ clip }) => clip))) : null
    const traitsOf = (clip: PlannedClip) =>
      isPublishedNow(clip) || cachedGroup ? null : state.traits(clip.clip.clipId)
    const clips = group.map((plannedClip) => ({ ...plannedClip, traits: traitsOf(plannedClip) }))
    return { clips, cachedGroup }
  }
  // Clips are removed from the plan, then from the groups, so that indexed clips take no memory.
  const groups = Map.groupBy(
    plan.clips.splice(0),
    ({ clip }) => `${clip.language} ${Math.floor(clip.ordinal / ordinalsPerGroup)}`,
  )
  const remainingGroups = groups.entries().map(([key, group]) => {
    groups.delete(key)
    return toIndex(group)
  })
  const calls = batches(remainingGroups, () => 1, Infinity, groupsPerCall)
  let indexedCount = 0
  for await (const [call, results] of pool.each('index', calls)) {
    for (const [g, { clips: indexedClips, packedGroup }] of results.entries()) {
      const clips = call[g]!.clips.map(({ clip }, i) => ({ ...clip, ...indexedClips[i]!.publishedDigests }))
      const key = keyOf(clips)
      if (packedGroup) cache.add(key, packedGroup)
      for (const [i, clip] of clips.entries()) {
        const { record, terms, publishedDigests, traits } = indexedClips[i]!
        if (publishedDigests) state.enter({ ...clip, traits: traits! })
        else if (traits) state.setTraits(clip.clipId, traits)
        collector.add(clip, record, terms)
        const { language, ordinal } = clip
        const range = { language, range: Math.floor(ordinal / segmentOrdinals) }
        segments
          .getOrInsertComputed(`${language} ${range.range}`, () => ({ range, groupKeys: new Set() }))
          .groupKeys.add(key)
      }
      onProgress?.({ step: 'index', done: (indexedCount += clips.length), total })
    }
  }
  return segments
}

/** Writes the sentence index. Returns its segments and the spoken forms, keyed by word id. */
async function writeSegments({ cache, pool }: Inputs, segments: Segments) {
  const { segmentOrdinals } = pool.context
  const calls = segments.values().map(({ range, groupKeys }) => {
    const key = shortDigest([formatVersion, segmentOrdinals, JSON.stringify(range), ...groupKeys].join('\n'))
    const cachedJson = cache.get(key)
    const cachedSegment = cachedJson && (JSON.parse(Buffer.from(cachedJson).toString()) as BuiltSegment)
    return { range, key, cachedSegment }
  })
  const sentences: SegmentEntry[] = []
  const spokenForms = new Map<number, Set<string>>()
  for await (const [{ key, cachedSegment }, segment] of pool.each('sentences', calls)) {
    if (!cachedSegment) cache.add(key, Buffer.from(JSON.stringify(segment)))
    sentences.push(segment.entry)
    for (const [wordId, forms] of segment.spokenForms)
      spokenForms.set(wordId, new Set(forms).union(spokenForms.get(wordId) ?? new Set()))
  }
  return { sentences, spokenForms }
}

async function writeLists({ pool, onProgress }: Inputs): Promise<Map<number, ClipList>> {
  const listByWordId = new Map<number, ClipList>()
  for await (const [bucket, lists] of pool.each('list', Array(bucketCount).keys())) {
    for (const [wordId, list] of lists) listByWordId.set(wordId, list)
    onProgress?.({ step: 'list', done: bucket + 1, total: bucketCount })
  }
  return listByWordId
}

/** Returns a function for the cache key of a group: a digest of all that its index depends on. */
function cacheKeys({ catalogue, hasAnalysers }: WorkerContext): (group: readonly PublishedClip[]) => string {
  const lexicons = new Map<string, string>()
  return (group) => {
    const { language } = group[0]!
    const lexicon = lexicons.getOrInsertComputed(language, () =>
      lexiconDigest(language, catalogue, hasAnalysers),
    )
    const digests = group.map(({ ordinal, sourceDigest, recordDigest, transcriptDigest }) =>
      [ordinal, sourceDigest, recordDigest, transcriptDigest].join(' '),
    )
    return shortDigest([lexicon, ...digests].join('\n'))
  }
}
