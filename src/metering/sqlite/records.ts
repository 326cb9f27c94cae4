import type { DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { formatPlan, textNames } from '../account-record.ts'
import type { StoreOptions } from '../store.ts'
import type { Counts, ListName, Records, SwapOptions } from '../records.ts'
import { minuteOf } from '../window.ts'
import type { SqliteConnection } from './connection.ts'
import { statementsOf, type Statements } from './statements.ts'

/** The number of lines to read in one transaction, because the file must not be held for long. */
const batchSize = 500

/** The records in the SQLite file, with one transaction per call. */
export class SqliteRecords implements Records {
  readonly #connection: SqliteConnection
  readonly #clock: StoreOptions['clock']
  readonly #onChange: () => void

  /** @param onChange called when accounts or keys were changed through this connection */
  constructor(connection: SqliteConnection, clock: StoreOptions['clock'], onChange: () => void) {
    this.#connection = connection
    this.#clock = clock
    this.#onChange = onChange
  }

  async now(): Promise<number> {
    return this.#clock.now()
  }

  get(name: string): Promise<string | null> {
    return this.#connection.run('BEGIN', (db) => readText(db, name))
  }

  swap(
    name: string,
    from: string | null,
    to: string | null,
    { lifeMs, note }: SwapOptions = {},
  ): Promise<boolean> {
    return this.#write((sql, db) => {
      if (readText(db, name) !== from) return false
      const nowMs = this.#clock.now()
      if (to === null) sql('deleteText').run(name)
      else sql('putText').run(name, to, lifeMs === undefined ? null : nowMs + lifeMs)
      if (lifeMs !== undefined) sql('deleteExpired').run(nowMs)
      if (note) sql('notePlan').run(note.id, note.startMs, formatPlan(note.plan))
      if (name.startsWith(textNames.account(''))) this.#recordChange(sql)
      return true
    })
  }

  append(list: ListName, line: string, keep?: number): Promise<void> {
    return this.#write((sql) => {
      sql('append').run(list, line)
      if (keep !== undefined) sql('deleteOldest').run(list, list, keep)
    })
  }

  drop(list: ListName, line: string): Promise<void> {
    return this.#write((sql) => void sql('drop').run(list, line))
  }

  async *lines(list: ListName): AsyncGenerator<string[]> {
    for (let last = 0; ;) {
      const batch = (await this.#connection.run('BEGIN', (db) =>
        statementsOf(db)('lines').all(list, last, batchSize),
      )) as { id: number; line: string }[]
      yield batch.map(({ line }) => line)
      if (batch.length < batchSize) return
      last = batch.at(-1)!.id
    }
  }

  counts(id: string, keyId?: string): Promise<Counts> {
    return this.#connection.run('BEGIN', (db) => {
      const sql = statementsOf(db)
      const [latest, periods] =
        keyId === undefined ? [sql('latest'), sql('periods')] : [sql('lastUse'), sql('keyPeriods')]
      const { latestMs } = latest.get(keyId ?? id) as Pick<Counts, 'latestMs'>
      const rows = periods.all(keyId ?? id) as { startMs: number; requests: number; plan: string | null }[]
      const parsePlan = (text: string | null) => (text === null ? null : (JSON.parse(text) as Plan))
      return { latestMs, periods: rows.map((row) => ({ ...row, plan: parsePlan(row.plan) })) }
    })
  }

  addCounts({ latestMs, periods }: Counts, id: string, keyId?: string): Promise<void> {
    return this.#write((sql) => {
      for (const { startMs, requests, plan } of periods)
        if (keyId !== undefined) sql('addKeyPeriod').run(keyId, startMs, requests)
        else if (plan) sql('addPeriod').run(id, startMs, requests, formatPlan(plan))
      if (latestMs === null) return
      if (keyId === undefined) sql('putLatest').run(id, latestMs)
      else sql('addKeyCounts').run(keyId, minuteOf(latestMs), 0, 0, 0)
    })
  }

  dropCounts(id: string, keyId?: string): Promise<void> {
    return this.#write((sql) => {
      const drops = keyId === undefined ? ['dropLatest', 'dropPeriods'] : ['dropKeyCounts', 'dropKeyPeriods']
      for (const drop of drops) sql(drop).run(keyId ?? id)
    })
  }

  filling(work: () => Promise<void>): Promise<void> {
    return this.#connection.transactLong(work)
  }

  #write<T>(work: (sql: Statements, db: DatabaseSync) => T): Promise<T> {
    return this.#connection.run('BEGIN IMMEDIATE', (db) => work(statementsOf(db), db))
  }

  /** Makes the caches of other processes stale. */
  #recordChange(sql: Statements): void {
    sql('incrementVersion').run()
    this.#onChange()
  }
}

/** Returns the text with this name. Runs inside a transaction. */
export function readText(db: DatabaseSync, name: string): string | null {
  return (statementsOf(db)('getText').get(name)?.value ?? null) as string | null
}
