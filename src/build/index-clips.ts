import { levels } from '#contract/levels.ts'
import { batches } from '#kit/batches.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import type { State } from '#tree/state.ts'
import { ChangedWords } from './list-words.ts'
import type { Plan } from './plan.ts'
import type { OnProgress } from './progress.ts'
import type { IndexTables } from '#tree/index-tables.ts'
import type { ReleaseBuilder } from './release-builder.ts'
import { rangeOf, type SegmentRange } from './speech-spool.ts'
import type { IndexedClip } from './tasks.ts'
import type { WorkerPool } from './worker-pool.ts'

/** How many clips a worker indexes again in one call, and from how many on threads do it. */
const clipsACall = 64
const manyClips = 2_000

interface Indexing {
  plan: Plan
  state: State
  opened: IndexTables | null
  /** The languages in which the previous index still holds. */
  carried: ReadonlySet<string>
  /** The clips that this build publishes, each once its files are written. */
  published: AsyncIterable<[LedgerEntry, IndexedClip]>
  pool: WorkerPool
  builder: ReleaseBuilder
  segmentOrdinals: number | undefined
  onProgress: OnProgress
}

/**
 * Adds every clip of the plan to the release. New clips are added as they were rendered, and
 * unchanged ones are carried over from the tables of the previous release. Clips that return, and
 * those of languages whose words or rules have changed, are indexed again. Returns the words whose
 * lists change, and the segments of the sentence index.
 */
export async function indexClips(
  indexing: Indexing,
): Promise<{ changed: ChangedWords; segments: SegmentRange[] }> {
  const { opened, carried, published, builder, segmentOrdinals } = indexing
  const changed = new ChangedWords(opened, carried)
  const carriedIds = opened ? carryClips(opened, indexing, changed) : new Set<string>()
  const segments = new Map<string, SegmentRange>()
  const take = (entry: LedgerEntry, indexed: IndexedClip | null) => {
    const segment = rangeOf(entry.language, entry.ordinal, segmentOrdinals)
    segments.set(`${segment.language} ${segment.range}`, segment)
    if (indexed) changed.add(builder.add({ ...entry, ...indexed.fields }, indexed.postings))
  }
  for await (const [entry, rendered] of published) take(entry, rendered)
  await reindex(take, carriedIds, indexing)
  return { changed, segments: [...segments.values()] }
}

/** Carries over the clips that stay as they are. Returns their ids. */
function carryClips(
  opened: IndexTables,
  { plan, carried, builder }: Indexing,
  changed: ChangedWords,
): Set<string> {
  const { clips, postings } = opened
  const carriedIds = new Set<string>()
  for (const row of clips.liveRows()) {
    const { language, ordinal } = clips.placeOf(row)
    const clipId = clips.clipId(row)
    if (plan.isUnchanged[row] === 1 && carried.has(language)) {
      builder.carry(opened, row)
      carriedIds.add(clipId)
      continue
    }
    const said = postings.postings(language, ordinal)
    changed.remove({ clipId, language, level: levels[clips.level(row)]!, said })
  }
  return carriedIds
}

async function reindex(
  take: (entry: LedgerEntry, indexed: IndexedClip | null) => void,
  carriedIds: ReadonlySet<string>,
  indexing: Indexing,
): Promise<void> {
  const { state, pool, onProgress } = indexing
  const total = notPublished(indexing)
  if (total === 0) return
  if (total > manyClips) pool.startThreads()
  let done = 0
  const entries = state.entries('clipId IN (SELECT clipId FROM reindex)').map((entry) => ({
    ...entry,
    isCarried: carriedIds.has(entry.clipId),
  }))
  for await (const [sent, clips] of pool.each(
    'reindex',
    batches(entries, () => 1, Infinity, clipsACall),
  )) {
    for (const [i, indexed] of clips.entries()) {
      take(sent[i]!, indexed)
      // The table of clips must not change while it is read.
      if (indexed?.traits)
        state.run('INSERT INTO reanalysed VALUES (?, ?)', sent[i]!.clipId, JSON.stringify(indexed.traits))
    }
    onProgress({ step: 'index', done: (done += clips.length), total })
  }
  state.run(`UPDATE clips SET traits = reanalysed.traits FROM reanalysed
    WHERE clips.clipId = reanalysed.clipId`)
}

/** Fills the table `reindex` with the clips of the release that are not published now. */
function notPublished({ plan, state }: Indexing): number {
  const { clips, published } = plan
  if (clips === published) return 0
  state.db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS reindex (clipId TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS reanalysed (clipId TEXT PRIMARY KEY, traits TEXT NOT NULL) WITHOUT ROWID;
    DELETE FROM reindex;
    DELETE FROM reanalysed`)
  state.run(`INSERT INTO reindex SELECT clipId FROM clips
    WHERE NOT withdrawn AND clipId NOT IN (SELECT clipId FROM publish)`)
  return state.row<{ count: number }>('SELECT COUNT(*) AS count FROM reindex')!.count
}
