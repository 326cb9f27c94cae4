import { levels } from '#contract/levels.ts'
import { batches } from '#kit/batches.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import type { State } from '#tree/state.ts'
import { ChangedWords } from './list-words.ts'
import type { Plan } from './plan.ts'
import type { OnProgress } from './progress.ts'
import type { IndexTables } from '#tree/index-tables.ts'
import type { ReleaseBuilder } from './release-builder.ts'
import type { SentenceSegments } from './sentence-segments.ts'
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
  sentences: SentenceSegments
  onProgress: OnProgress
}

/**
 * Adds every clip of the plan to the release. New clips are added as they were rendered, and
 * unchanged ones are carried over from the tables of the previous release. Clips that return, and
 * those of languages whose words or rules have changed, are indexed again. Returns the words whose
 * lists change.
 */
export async function indexClips(indexing: Indexing): Promise<ChangedWords> {
  const { opened, carried, published, builder, sentences } = indexing
  const changed = new ChangedWords(opened, carried)
  const lost = opened ? carryClips(opened, indexing, changed) : []
  const take = (entry: LedgerEntry, indexed: IndexedClip) => {
    const { fields, postings, speech } = indexed
    changed.add(builder.add({ ...entry, ...fields }, postings))
    const { language, ordinal, revision } = entry
    if (speech) sentences.add(language, ordinal, revision, speech)
    else sentences.keep(language, ordinal, revision)
  }
  for await (const [entry, rendered] of published) take(entry, rendered)
  await reindex(take, lost, indexing)
  return changed
}

/**
 * Carries over the clips that stay as they are. Returns those that have to be indexed again because
 * no segment of the sentence index holds them.
 */
function carryClips(
  opened: IndexTables,
  { plan, carried, builder, sentences }: Indexing,
  changed: ChangedWords,
): string[] {
  const { clips, postings } = opened
  const lost: string[] = []
  for (const row of clips.liveRows()) {
    const { language, ordinal } = clips.placeOf(row)
    const revision = clips.revision(row)
    const stays = plan.isUnchanged[row] === 1 && carried.has(language)
    if (stays && sentences.has(language, ordinal, revision)) {
      builder.carry(opened, row)
      sentences.keep(language, ordinal, revision)
      continue
    }
    const clipId = clips.clipId(row)
    if (stays) lost.push(clipId)
    const said = postings.postings(language, ordinal)
    changed.remove({ clipId, language, level: levels[clips.level(row)]!, said })
  }
  return lost
}

async function reindex(
  take: (entry: LedgerEntry, indexed: IndexedClip) => void,
  lost: readonly string[],
  indexing: Indexing,
): Promise<void> {
  const { state, pool, sentences, onProgress } = indexing
  const total = notCarried([...indexing.plan.returning, ...lost], indexing)
  if (total === 0) return
  if (total > manyClips) pool.startThreads()
  let done = 0
  // What is said in a published clip never changes, whatever words the catalogue has.
  const entries = state.entries('clipId IN (SELECT clipId FROM reindex)').map((entry) => ({
    ...entry,
    wantsSpeech: !sentences.has(entry.language, entry.ordinal, entry.revision),
  }))
  for await (const [sent, clips] of pool.each(
    'reindex',
    batches(entries, () => 1, Infinity, clipsACall),
  )) {
    for (const [i, indexed] of clips.entries()) {
      take(sent[i]!, indexed)
      // The table of clips must not change while it is read.
      if (indexed.traits)
        state.run('INSERT INTO reanalysed VALUES (?, ?)', sent[i]!.clipId, JSON.stringify(indexed.traits))
    }
    onProgress({ step: 'index', done: (done += clips.length), total })
  }
  state.run(`UPDATE clips SET traits = reanalysed.traits FROM reanalysed
    WHERE clips.clipId = reanalysed.clipId`)
}

/**
 * Fills the table `reindex` with the clips that stay and are not carried over, and `others`.
 * Returns how many.
 */
function notCarried(others: readonly string[], { plan, state, carried }: Indexing): number {
  const { clips, published } = plan
  if (clips === published) return 0
  state.db.exec(`
    CREATE TEMP TABLE IF NOT EXISTS reindex (clipId TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE IF NOT EXISTS reanalysed (clipId TEXT PRIMARY KEY, traits TEXT NOT NULL) WITHOUT ROWID;
    DELETE FROM reindex;
    DELETE FROM reanalysed`)
  for (const clipId of others) state.run('INSERT INTO reindex VALUES (?)', clipId)
  const languages = [...carried].map((language) => `'${language}'`).join()
  state.run(`INSERT OR IGNORE INTO reindex SELECT clipId FROM clips
    WHERE NOT withdrawn AND language NOT IN (${languages}) AND clipId NOT IN (SELECT clipId FROM publish)`)
  return state.row<{ count: number }>('SELECT COUNT(*) AS count FROM reindex')!.count
}
