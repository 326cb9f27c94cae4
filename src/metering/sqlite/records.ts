import type { DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { formatPlan, textNames } from '../account-record.ts'
import type { StoreOptions } from '../meter-store.ts'
import type { Counts, ListName, Records, SwapOptions } from '../records.ts'
import { minuteOf } from '../window.ts'
import type { SqliteConnection } from './connection.ts'
import { statementsOf, type Statements } from './statements.ts'

/** How many lines are read in one transaction: the file is not to be held for long. */
const batchSize = 500

/** The records in the SQLite file, one transaction a call. */
export class SqliteRecords implements Records {
  readonly #connection: SqliteConnection
  readonly #clock: StoreOptions['clock']
  readonly #onChange: () => void

  /** `onChange` is called when accounts, keys or counts were changed through this connection. */
  constructor(connection: SqliteConnection, { clock }: StoreOptions, onChange: () => void) {
    this.#connection = connection
    this.#clock = clock
    this.#onChange = onChange
  }

  async now(): Promise<number> {
    return this.#clock.now()
  }

  async get(name: string): Promise<string | null> {
    return await this.#connection.run('BEGIN', (db) => readText(db, name))
  }

  async swap(
    name: string,
    from: string | null,
    to: string | null,
    { lifeMs, note }: SwapOptions = {},
  ): Promise<boolean> {
    return await this.#write((sql, db) => {
      if (readText(db, name) !== from) return false
      const nowMs = this.#clock.now()
      if (to === null) sql('deleteText').run(name)
      else sql('putText').run(name, to, lifeMs === undefined ? null : nowMs + lifeMs)
      if (lifeMs !== undefined) sql('deleteExpired').run(nowMs)
      if (note) sql('notePlan').run(note.id, note.startMs, formatPlan(note.plan))
      if (name.startsWith(textNames.account(''))) this.#changed(sql)
      return true
    })
  }

  async append(list: ListName, line: string, keep?: number): Promise<void> {
    await this.#write((sql) => {
      sql('append').run(list, line)
      if (keep !== undefined) sql('deleteOldest').run(list, list, keep)
    })
  }

  async drop(list: ListName, line: string): Promise<void> {
    await this.#write((sql) => sql('drop').run(list, line))
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

  async counts(id: string, keyId?: string): Promise<Counts> {
    return await this.#connection.run('BEGIN', (db) => {
      const sql = statementsOf(db)
      const isKey = keyId !== undefined
      const { latestMs } = (isKey ? sql('lastUse').get(keyId) : sql('latest').get(id)) as {
        latestMs: number | null
      }
      const rows = (isKey ? sql('keyPeriods').all(keyId) : sql('periods').all(id)) as {
        startMs: number
        requests: number
        plan: string | null
      }[]
      const periods = rows.map(({ plan, ...period }) => ({
        ...period,
        plan: plan === null ? null : (JSON.parse(plan) as Plan),
      }))
      return { latestMs, periods }
    })
  }

  async addCounts({ latestMs, periods }: Counts, id: string, keyId?: string): Promise<void> {
    await this.#write((sql) => {
      for (const { startMs, requests, plan } of periods)
        if (keyId !== undefined) sql('addKeyPeriod').run(keyId, startMs, requests)
        else if (plan) sql('addPeriod').run(id, startMs, requests, formatPlan(plan))
      if (latestMs === null) return
      if (keyId === undefined) sql('putLatest').run(id, latestMs)
      else sql('addKeyCounts').run(keyId, minuteOf(latestMs), 0, 0, 0)
    })
  }

  async dropCounts(id: string, keyId?: string): Promise<void> {
    await this.#write((sql) => {
      const isKey = keyId !== undefined
      const drops = isKey
        ? [sql('dropKeyCounts'), sql('dropKeyPeriods')]
        : [sql('dropLatest'), sql('dropPeriods')]
      for (const statement of drops) statement.run(keyId ?? id)
      this.#changed(sql)
    })
  }

  async filling(work: () => Promise<void>): Promise<void> {
    await this.#connection.transactLong(work)
  }

  /** Makes what processes have cached stale. */
  #changed(sql: Statements): void {
    sql('incrementVersion').run()
    this.#onChange()
  }

  async #write<T>(work: (sql: Statements, db: DatabaseSync) => T): Promise<T> {
    return await this.#connection.run('BEGIN IMMEDIATE', (db) => work(statementsOf(db), db))
  }
}

/** The text with this name. Runs inside a transaction. */
export function readText(db: DatabaseSync, name: string): string | null {
  return (statementsOf(db)('getText').get(name)?.value ?? null) as string | null
}
