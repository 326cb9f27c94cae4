import { batches } from '#kit/batches.ts'
import { collectNow } from '#kit/collect-garbage.ts'
import { shortDigest } from '#kit/digest.ts'
import { syncFolder } from '#kit/sync-folder.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import { formatVersion } from '#release/manifest.ts'
import type { SegmentEntry } from '#release/sentences/layout.ts'
import type { ClipList } from '#release/words/layout.ts'
import { toFeedClip } from './render/records.ts'
import type { PublishedClip, State } from '#tree/state.ts'
import type { OnProgress } from './build-options.ts'
import type { ClipGroup, WorkerContext } from './build-worker.ts'
import type { ClipCache } from './clip-cache.ts'
import { lexiconDigest } from './digests.ts'
import { buildTables } from './build-tables.ts'
import { bucketCount } from './list-word.ts'
import type { Plan, PlannedClip } from './plan.ts'
import type { BuiltSegment, SegmentRange } from './segments.ts'
import type { WorkerPool } from './worker-pool.ts'

/**
 * Clips of a language with neighbouring ordinals are cached together: one by one, compressing them
 * would take twice as long.
 */
const ordinalsAGroup = 64
/** How many groups a worker indexes, and then adds to the spool, in one call. */
const groupsACall = 4

/** By segment (its range as JSON), the cache keys of the groups that have clips in it. */
type SegmentGroups = Map<string, Set<string>>

interface Making {
  plan: Plan
  state: State
  cache: ClipCache
  pool: WorkerPool
  onProgress: OnProgress | undefined
}

/**
 * Publishes and indexes the clips of the plan, writes the lists of words and the sentence index,
 * and builds the tables. What it collects in memory can be freed once it returns them.
 */
export async function makeTables(making: Making) {
  const { state, pool, onProgress } = making
  const { outFolder, catalogue, hasAnalysers } = pool.context
  const clips = new ClipTableWriter(state.head.ordinals)
  const segments = await indexClips(making, clips)
  // While the threads write, this one allocates little, so V8 would not collect its garbage.
  if (pool.hasThreads) collectNow()
  // At once, so that no thread waits while another one writes the last segment.
  const [{ sentences, heard }, lists] = await Promise.all([
    writeSegments(making, segments),
    writeLists(making),
  ])
  onProgress?.({ step: 'tables' })
  // Threads hold as much memory as the tables need.
  await pool.end()
  // The disk works while the tables are built.
  const syncing = syncFolder(outFolder)
  // Its error is thrown where it is awaited, unless building the tables fails before.
  syncing.catch(() => {})
  const tables = buildTables({ catalogue, clips, lists, heard }, hasAnalysers)
  await syncing
  return { tables, sentences }
}

/**
 * Indexes every clip of the release, and publishes those that are new: adds each to the table, in
 * the order of rows, and stores what is new of it. Returns what the segments of the sentence index
 * are made of.
 */
async function indexClips(making: Making, table: ClipTableWriter): Promise<SegmentGroups> {
  const { plan, state, cache, pool, onProgress } = making
  const total = plan.clips.length
  const { segmentOrdinals } = pool.context
  const segments: SegmentGroups = new Map()
  const keyOf = cacheKeys(pool.context)
  const toIndex = (group: readonly PlannedClip[]): ClipGroup => {
    const isPublished = group.every(({ text }) => text === null)
    const cached = isPublished ? cache.get(keyOf(group.map(({ clip }) => clip))) : null
    const traitsOf = ({ clip, text }: PlannedClip) => (text || cached ? null : state.traits(clip.clipId))
    return { clips: group.map((planned) => ({ ...planned, traits: traitsOf(planned) })), cached }
  }
  // Taken out of the plan, then out of the groups, so that clips leave the memory once they are
  // indexed.
  const groups = Map.groupBy(
    plan.clips.splice(0),
    ({ clip }) => `${clip.language} ${Math.floor(clip.ordinal / ordinalsAGroup)}`,
  )
  const taken = groups.entries().map(([key, group]) => {
    groups.delete(key)
    return toIndex(group)
  })
  const calls = batches(taken, () => 1, Infinity, groupsACall)
  let done = 0
  for await (const [sent, results] of pool.each('index', calls)) {
    for (const [g, { indexed, packed }] of results.entries()) {
      const clips = sent[g]!.clips.map(({ clip }, i) => ({ ...clip, ...indexed[i]!.published }))
      const key = keyOf(clips)
      if (packed) cache.add(key, packed)
      for (const [i, clip] of clips.entries()) {
        const { record, termVector, published, traits } = indexed[i]!
        if (published) state.enter({ ...clip, traits: traits! })
        else if (traits) state.setTraits(clip.clipId, traits)
        const indexedAtMs = Date.parse(record.indexedAt)
        const { wordCount } = record
        table.add({ ...clip, clip: toFeedClip(record), wordCount, indexedAtMs, termVector })
        const { language, ordinal } = clip
        const range = JSON.stringify({ language, range: Math.floor(ordinal / segmentOrdinals) })
        segments.getOrInsertComputed(range, () => new Set()).add(key)
      }
      onProgress?.({ step: 'index', done: (done += clips.length), total })
    }
  }
  return segments
}

/** Writes the sentence index. Returns its segments, and by word id the forms it was heard in. */
async function writeSegments({ cache, pool }: Making, segments: SegmentGroups) {
  const { segmentOrdinals } = pool.context
  const inputs = segments.entries().map(([range, groups]) => {
    const key = shortDigest([formatVersion, segmentOrdinals, range, ...groups].join('\n'))
    const known = cache.get(key)
    const cached = known && (JSON.parse(Buffer.from(known).toString()) as BuiltSegment)
    return { range: JSON.parse(range) as SegmentRange, key, cached }
  })
  const sentences: SegmentEntry[] = []
  const heard = new Map<number, Set<string>>()
  for await (const [{ key, cached }, made] of pool.each('sentences', inputs)) {
    if (!cached) cache.add(key, Buffer.from(JSON.stringify(made)))
    sentences.push(made.entry)
    for (const [wordId, forms] of made.heard)
      heard.set(wordId, new Set(forms).union(heard.get(wordId) ?? new Set()))
  }
  return { sentences, heard }
}

/** Writes the lists of the words. Returns them by word id. */
async function writeLists({ pool, onProgress }: Making): Promise<Map<number, ClipList>> {
  const lists = new Map<number, ClipList>()
  for await (const [bucket, written] of pool.each('list', Array(bucketCount).keys())) {
    for (const [wordId, list] of written) lists.set(wordId, list)
    onProgress?.({ step: 'list', done: bucket + 1, total: bucketCount })
  }
  return lists
}

/** By what the cache knows a group of clips: all that their index follows from. */
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
