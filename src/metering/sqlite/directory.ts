import { randomBytes } from 'node:crypto'
import type { DatabaseSync, SQLTagStore } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { foldName } from '../account-name.ts'
import { quotaState } from '../decide.ts'
import { windowMs } from '../window.ts'
import type { PlanTable } from '../plan-table.ts'
import {
  maxChanges,
  NameTaken,
  type AccountHistory,
  type AccountRecord,
  type Change,
  type Directory,
  type KeyRecord,
  type LoggedChange,
  type MeterOptions,
  type NewKey,
  type PeriodCount,
  type QuotaState,
} from '../store.ts'
import { preparedFor, type SqliteConnection } from './connection.ts'
import { readPeriod } from './period-row.ts'

/** How many accounts are read in one transaction. */
const batchSize = 500

/**
 * Accounts and keys in the SQLite file, one transaction a call. A change to what processes cache
 * increments `config_version`, so that every process reads keys and accounts again.
 */
export class SqliteDirectory implements Directory {
  readonly #connection: SqliteConnection
  readonly #plans: PlanTable
  readonly #clock: MeterOptions['clock']
  readonly #onChange: () => void
  readonly #sql = preparedFor((db) => db.createTagStore())

  /** `onChange` is called when accounts or keys were changed through this connection. */
  constructor(connection: SqliteConnection, plans: PlanTable, { clock }: MeterOptions, onChange: () => void) {
    this.#connection = connection
    this.#plans = plans
    this.#clock = clock
    this.#onChange = onChange
  }

  async cursorSecret(): Promise<Buffer> {
    return await this.#write('read the secret that signs cursors', (sql) => {
      const kept = sql.get`SELECT value FROM meta WHERE name = 'cursor_secret'` as
        { value: Uint8Array } | undefined
      const secret = kept?.value ?? randomBytes(32)
      if (!kept) sql.run`INSERT INTO meta VALUES ('cursor_secret', ${secret})`
      return Buffer.from(secret)
    })
  }

  async createAccount(account: string, plan: string, bySignUp = false): Promise<AccountRecord | null> {
    return await this.#write(`create the account "${account}"`, (sql) => {
      if (findAccount(sql, account)) return null
      const nowMs = this.#clock.now()
      const { lastInsertRowid } = sql.run`
        INSERT INTO accounts (account, folded, plan, created_at_ms, by_sign_up)
        VALUES (${account}, ${foldName(account)}, ${plan}, ${nowMs}, ${bySignUp ? 1 : 0})`
      notePlan(sql, lastInsertRowid, nowMs, this.#plans.named(plan))
      return { account, plan, createdAtMs: nowMs, bySignUp }
    })
  }

  /** Days are numbered from the epoch. A clock that steps back does not open a spent day again. */
  async countSignUp(network: string, perDay: number): Promise<boolean> {
    return await this.#write('count the sign-up', (sql) => {
      const stored = sql.get`SELECT day, count FROM sign_ups WHERE network = ${network}` as
        { day: number; count: number } | undefined
      const today = dayOf(this.#clock.now())
      const day = stored?.day === today + 1 ? stored.day : today
      const count = stored?.day === day ? stored.count : 0
      if (count >= perDay) return false
      sql.run`DELETE FROM sign_ups WHERE day < ${day - 1}`
      sql.run`INSERT OR REPLACE INTO sign_ups VALUES (${network}, ${day}, ${count + 1})`
      return true
    })
  }

  async account(name: string): Promise<AccountRecord | null> {
    return await this.#read('read the account', (sql) => findAccount(sql, name)?.record ?? null)
  }

  async accounts(): Promise<AccountRecord[]> {
    return await this.#read('read the accounts', (sql) =>
      sql.all`
        SELECT account, plan, created_at_ms AS createdAtMs, by_sign_up AS bySignUp
        FROM accounts WHERE deleted_at_ms IS NULL ORDER BY id`.map(toAccountRecord),
    )
  }

  /** In batches: the file is not to be held for long. */
  async *histories(name?: string): AsyncGenerator<AccountHistory> {
    const folded = name === undefined ? null : foldName(name)
    for (let last = 0; ;) {
      const batch = await this.#read('read the periods', (sql) => {
        const rows = sql.all`
          SELECT id, account, plan, created_at_ms AS createdAtMs, by_sign_up AS bySignUp,
            deleted_at_ms AS deletedAtMs
          FROM accounts WHERE id > ${last} AND (${folded} IS NULL OR folded = ${folded})
          ORDER BY id LIMIT ${batchSize}`
        return rows.map(({ id, ...row }) => {
          last = id as number
          return { ...(toAccountRecord(row) as AccountHistory), periods: readPeriods(sql, last) }
        })
      })
      yield* batch
      if (batch.length < batchSize) return
    }
  }

  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return await this.#change('change the plan', (sql, db) => {
      const found = findAccount(sql, account)
      if (!found) return null
      const { id, record } = found
      sql.run`UPDATE accounts SET plan = ${plan} WHERE id = ${id}`
      const { period } = readPeriod(db, { id, ...record }, this.#clock.now())
      notePlan(sql, id, period.startMs, this.#plans.named(plan))
      return { ...record, plan }
    })
  }

  async quota(account: string): Promise<QuotaState | null> {
    return await this.#read('read the quota', (sql, db) => {
      const found = findAccount(sql, account)
      if (!found) return null
      const { id, record } = found
      const { period, requests } = readPeriod(db, { id, ...record }, this.#clock.now())
      return quotaState(record, this.#plans.of(record), period, requests)
    })
  }

  async renameAccount(account: string, name: string): Promise<AccountRecord | null> {
    return await this.#change('rename the account', (sql) => {
      const found = findAccount(sql, account)
      if (!found) return null
      const { id, record } = found
      const holder = findAccount(sql, name)
      if (holder && holder.id !== id) throw new NameTaken(account, holder.record.account)
      sql.run`UPDATE accounts SET account = ${name}, folded = ${foldName(name)} WHERE id = ${id}`
      return { ...record, account: name }
    })
  }

  async deleteAccount(account: string): Promise<AccountRecord | null> {
    return await this.#change('delete the account', (sql, db) => {
      const found = findAccount(sql, account)
      if (!found) return null
      const { id, record } = found
      for (const table of ['key_counts', 'key_periods'])
        db.exec(`DELETE FROM ${table} WHERE key_id IN (SELECT id FROM keys WHERE account_id = ${id})`)
      sql.run`DELETE FROM keys WHERE account_id = ${id}`
      sql.run`UPDATE accounts SET deleted_at_ms = ${this.#clock.now()} WHERE id = ${id}`
      return record
    })
  }

  async purge(account: string): Promise<void> {
    await this.#write('purge the account', (sql) => {
      const folded = foldName(account)
      sql.run`
        DELETE FROM periods WHERE account_id IN
          (SELECT id FROM accounts WHERE folded = ${folded} AND deleted_at_ms IS NOT NULL)`
      sql.run`DELETE FROM accounts WHERE folded = ${folded} AND deleted_at_ms IS NOT NULL`
    })
  }

  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return await this.#write('add the key', (sql, db) => this.#addKey(sql, db, account, key))
  }

  async keys(): Promise<KeyRecord[]> {
    return await this.#read('read the keys', (_, db) =>
      db.prepare(`${selectKeys} ORDER BY k.id`).all().map(toKeyRecord),
    )
  }

  async unitsByKey(account: string, periodStartMs: number): Promise<Map<string, number>> {
    return await this.#read('read the keys', (sql) => {
      const id = findAccount(sql, account)?.id ?? null
      const rows = sql.all`
        SELECT k.key_id AS keyId, sum(requests) AS requests
        FROM (SELECT key_id, start_ms, requests FROM key_counts UNION ALL SELECT * FROM key_periods) u
        JOIN keys k ON k.id = u.key_id
        WHERE k.account_id = ${id} AND start_ms = ${periodStartMs} GROUP BY k.id`
      return new Map(rows.map(({ keyId, requests }) => [keyId as string, requests as number]))
    })
  }

  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return await this.#change('change the key', (sql, db) => {
      sql.run`UPDATE keys SET enabled = ${enabled ? 1 : 0} WHERE key_id = ${keyId}`
      return readKey(db, keyId)
    })
  }

  async log(change: Change): Promise<void> {
    await this.#write('log the change', (sql) => {
      const { lastInsertRowid } = sql.run`
        INSERT INTO changes (at_ms, change) VALUES (${this.#clock.now()}, ${JSON.stringify(change)})`
      sql.run`DELETE FROM changes WHERE id <= ${Number(lastInsertRowid) - maxChanges}`
    })
  }

  async *changes(): AsyncGenerator<LoggedChange> {
    yield* await this.#read('read the log of changes', (sql) =>
      sql.all`SELECT at_ms, change FROM changes ORDER BY id`.map(({ at_ms, change }) => ({
        atMs: at_ms as number,
        ...(JSON.parse(change as string) as Change),
      })),
    )
  }

  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    return await this.#change('rotate the key', (sql, db) => {
      const old = readKey(db, keyId)
      if (!old) return null
      const endMs = Math.min(this.#clock.now() + overlapMs, old.expiresAtMs ?? Infinity)
      sql.run`UPDATE keys SET expires_at_ms = ${endMs} WHERE key_id = ${keyId}`
      return this.#addKey(sql, db, old.account, { ...next, name: old.name ?? undefined })
    })
  }

  #addKey(sql: SQLTagStore, db: DatabaseSync, account: string, key: NewKey): KeyRecord {
    const { keyId, digest, prefix, last4, name = null, note = null } = key
    const holder = findAccount(sql, account)
    if (!holder) throw new Error(`cannot add a key: no account "${account}"`)
    sql.run`
      INSERT INTO keys (key_id, digest, account_id, prefix, last4, enabled, created_at_ms, name, note)
      VALUES (${keyId}, ${Buffer.from(digest, 'hex')}, ${holder.id}, ${prefix}, ${last4}, 1,
        ${this.#clock.now()}, ${name}, ${note})`
    return readKey(db, keyId)!
  }

  async #read<T>(action: string, work: (sql: SQLTagStore, db: DatabaseSync) => T): Promise<T> {
    return await this.#connection.run(action, 'BEGIN', (db) => work(this.#sql(db), db))
  }

  /** A write that makes cached keys and accounts stale. */
  async #change<T>(action: string, work: (sql: SQLTagStore, db: DatabaseSync) => T): Promise<T> {
    return await this.#write(action, (sql, db) => {
      sql.run`UPDATE meta SET value = value + 1 WHERE name = 'config_version'`
      this.#onChange()
      return work(sql, db)
    })
  }

  async #write<T>(action: string, work: (sql: SQLTagStore, db: DatabaseSync) => T): Promise<T> {
    return await this.#connection.run(action, 'BEGIN IMMEDIATE', (db) => work(this.#sql(db), db))
  }
}

const dayMs = 86_400_000

function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

function findAccount(sql: SQLTagStore, name: string): { id: number; record: AccountRecord } | null {
  const row = sql.get`
    SELECT id, account, plan, created_at_ms AS createdAtMs, by_sign_up AS bySignUp
    FROM accounts WHERE folded = ${foldName(name)} AND deleted_at_ms IS NULL`
  if (!row) return null
  const { id, ...record } = row
  return { id: id as number, record: toAccountRecord(record) }
}

function readPeriods(sql: SQLTagStore, accountId: number): PeriodCount[] {
  const rows = sql.all`
    SELECT start_ms AS startMs, requests, plan AS name, per_period AS perPeriod, per_minute AS perMinute
    FROM periods WHERE account_id = ${accountId} ORDER BY start_ms`
  return (rows as unknown as (Omit<PeriodCount, 'plan'> & Plan)[]).map(({ startMs, requests, ...plan }) => ({
    startMs,
    requests,
    plan,
  }))
}

/** Notes in a period the plan that is in force from now on. */
function notePlan(
  sql: SQLTagStore,
  accountId: number | bigint,
  startMs: number,
  plan: Plan | undefined,
): void {
  if (!plan) return
  const { name, perPeriod, perMinute } = plan
  sql.run`
    INSERT INTO periods (account_id, start_ms, requests, plan, per_period, per_minute)
    VALUES (${accountId}, ${startMs}, 0, ${name}, ${perPeriod}, ${perMinute})
    ON CONFLICT DO UPDATE SET plan = excluded.plan, per_period = excluded.per_period, per_minute = excluded.per_minute`
}

const selectKeys = `
  SELECT k.key_id AS keyId, account, plan, prefix, last4, enabled, k.created_at_ms AS createdAtMs,
    expires_at_ms AS expiresAtMs, name, note, minute
  FROM keys k JOIN accounts a ON a.id = k.account_id LEFT JOIN key_counts c ON c.key_id = k.id`

const keyStatement = preparedFor((db) => db.prepare(`${selectKeys} WHERE k.key_id = ?`))

function readKey(db: DatabaseSync, keyId: string): KeyRecord | null {
  const row = keyStatement(db).get(keyId)
  return row ? toKeyRecord(row) : null
}

/** Rows of SQLite have no prototype, so they are copied into plain objects. */
function toAccountRecord(row: object): AccountRecord {
  const account = row as Omit<AccountRecord, 'bySignUp'> & { bySignUp: number }
  return { ...account, bySignUp: account.bySignUp === 1 }
}

function toKeyRecord(row: object): KeyRecord {
  const { enabled, minute, ...key } = row as Omit<KeyRecord, 'enabled' | 'lastUsedMs'> & {
    enabled: number
    minute: number | null
  }
  return {
    ...key,
    enabled: enabled === 1,
    lastUsedMs: minute === null ? null : dayOf(minute * windowMs) * dayMs,
  }
}
