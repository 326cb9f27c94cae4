import type { DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { formatPlan, textNames } from '../account-record.ts'
import type { StoreOptions } from '../store.ts'
import type { Counts, Records } from '../records.ts'
import { minuteOf } from '../window.ts'
import type { SqliteConnection } from './connection.ts'
import { statementsOf, type Statements } from './statements.ts'

/** The number of lines to read in one transaction, because the file must not be held for long. */
const batchSize = 500

/**
 * The records in the SQLite file, with one transaction per call.
 *
 * @param onChange called when accounts, keys or counts were changed through this connection
 */
export function sqliteRecords(
  connection: SqliteConnection,
  clock: StoreOptions['clock'],
  onChange: () => void,
): Records {
  const write = <T>(work: (sql: Statements, db: DatabaseSync) => T) =>
    connection.run('BEGIN IMMEDIATE', (db) => work(statementsOf(db), db))
  /** Makes the caches of other processes stale. */
  const recordChange = (sql: Statements) => {
    sql('incrementVersion').run()
    onChange()
  }
  return {
    now: async () => clock.now(),

    get: (name) => connection.run('BEGIN', (db) => readText(db, name)),

    swap: (name, from, to, { lifeMs, note } = {}) =>
      write((sql, db) => {
        if (readText(db, name) !== from) return false
        const nowMs = clock.now()
        if (to === null) sql('deleteText').run(name)
        else sql('putText').run(name, to, lifeMs === undefined ? null : nowMs + lifeMs)
        if (lifeMs !== undefined) sql('deleteExpired').run(nowMs)
        if (note) sql('notePlan').run(note.id, note.startMs, formatPlan(note.plan))
        if (name.startsWith(textNames.account(''))) recordChange(sql)
        return true
      }),

    append: (list, line, keep) =>
      write((sql) => {
        sql('append').run(list, line)
        if (keep !== undefined) sql('deleteOldest').run(list, list, keep)
      }),

    drop: (list, line) => write((sql) => void sql('drop').run(list, line)),

    async *lines(list) {
      for (let last = 0; ;) {
        const batch = (await connection.run('BEGIN', (db) =>
          statementsOf(db)('lines').all(list, last, batchSize),
        )) as { id: number; line: string }[]
        yield batch.map(({ line }) => line)
        if (batch.length < batchSize) return
        last = batch.at(-1)!.id
      }
    },

    counts: (id, keyId) =>
      connection.run('BEGIN', (db) => {
        const sql = statementsOf(db)
        const [latest, periods] =
          keyId === undefined ? [sql('latest'), sql('periods')] : [sql('lastUse'), sql('keyPeriods')]
        const { latestMs } = latest.get(keyId ?? id) as Pick<Counts, 'latestMs'>
        const rows = periods.all(keyId ?? id) as { startMs: number; requests: number; plan: string | null }[]
        const parsePlan = (text: string | null) => (text === null ? null : (JSON.parse(text) as Plan))
        return { latestMs, periods: rows.map((row) => ({ ...row, plan: parsePlan(row.plan) })) }
      }),

    addCounts: ({ latestMs, periods }, id, keyId) =>
      write((sql) => {
        for (const { startMs, requests, plan } of periods)
          if (keyId !== undefined) sql('addKeyPeriod').run(keyId, startMs, requests)
          else if (plan) sql('addPeriod').run(id, startMs, requests, formatPlan(plan))
        if (latestMs === null) return
        if (keyId === undefined) sql('putLatest').run(id, latestMs)
        else sql('addKeyCounts').run(keyId, minuteOf(latestMs), 0, 0, 0)
      }),

    dropCounts: (id, keyId) =>
      write((sql) => {
        const drops =
          keyId === undefined ? ['dropLatest', 'dropPeriods'] : ['dropKeyCounts', 'dropKeyPeriods']
        for (const drop of drops) sql(drop).run(keyId ?? id)
        recordChange(sql)
      }),

    filling: (work) => connection.transactLong(work),
  }
}

/** Returns the text with this name. Runs inside a transaction. */
export function readText(db: DatabaseSync, name: string): string | null {
  return (statementsOf(db)('getText').get(name)?.value ?? null) as string | null
}
