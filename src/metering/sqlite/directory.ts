import { randomBytes } from 'node:crypto'
import type { DatabaseSync, SQLTagStore } from 'node:sqlite'
import { quotaState } from '../decide.ts'
import type { PlanTable } from '../plan-table.ts'
import type {
  AccountRecord,
  Directory,
  KeyRecord,
  MeterOptions,
  NewKey,
  PeriodCount,
  QuotaState,
} from '../store.ts'
import { preparedFor, type SqliteConnection } from './connection.ts'
import { readPeriod } from './period-row.ts'

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

  async createAccount(account: string, plan: string): Promise<AccountRecord | null> {
    return await this.#write(`create the account "${account}"`, (sql) => {
      const row = sql.get`
        INSERT OR IGNORE INTO accounts (account, plan, created_at_ms)
        VALUES (${account}, ${plan}, ${this.#clock.now()})
        RETURNING account, plan, created_at_ms AS createdAtMs`
      return row ? toAccountRecord(row) : null
    })
  }

  /** Days are numbered from the epoch. A clock that steps back does not open a spent day again. */
  async countSignUp(address: string, perDay: number): Promise<boolean> {
    return await this.#write('count the sign-up', (sql) => {
      const stored = sql.get`SELECT day, count FROM sign_ups WHERE address = ${address}` as
        { day: number; count: number } | undefined
      const today = dayOf(this.#clock.now())
      const day = stored?.day === today + 1 ? stored.day : today
      const count = stored?.day === day ? stored.count : 0
      if (count >= perDay) return false
      sql.run`DELETE FROM sign_ups WHERE day < ${day - 1}`
      sql.run`INSERT OR REPLACE INTO sign_ups VALUES (${address}, ${day}, ${count + 1})`
      return true
    })
  }

  async account(name: string): Promise<AccountRecord | null> {
    return await this.#read('read the account', (sql) => readAccount(sql, name))
  }

  async accounts(): Promise<AccountRecord[]> {
    return await this.#read('read the accounts', (sql) =>
      sql.all`SELECT account, plan, created_at_ms AS createdAtMs FROM accounts ORDER BY id`.map(
        toAccountRecord,
      ),
    )
  }

  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return await this.#change('change the plan', (sql) => {
      sql.run`UPDATE accounts SET plan = ${plan} WHERE account = ${account}`
      return readAccount(sql, account)
    })
  }

  async quota(account: string): Promise<QuotaState | null> {
    return await this.#read('read the quota', (sql, db) => {
      const found = sql.get`
        SELECT id, account, plan, created_at_ms AS createdAtMs FROM accounts WHERE account = ${account}`
      if (!found) return null
      const record = found as unknown as AccountRecord & { id: number }
      const plan = this.#plans.of(record)
      const { period, requests } = readPeriod(db, record, this.#clock.now())
      return quotaState(record, plan, period, requests)
    })
  }

  async periods(account: string): Promise<PeriodCount[]> {
    return await this.#read('read the periods', (sql) => {
      const rows = sql.all`
        SELECT start_ms AS startMs, requests FROM periods
        WHERE account_id = (SELECT id FROM accounts WHERE account = ${account}) ORDER BY start_ms`
      return rows.map((row) => ({ ...(row as unknown as PeriodCount) }))
    })
  }

  async renameAccount(account: string, name: string): Promise<AccountRecord | null> {
    return await this.#change('rename the account', (sql) => {
      if (!readAccount(sql, account)) return null
      if (readAccount(sql, name))
        throw new Error(`cannot rename "${account}": there is already an account "${name}"`)
      sql.run`UPDATE accounts SET account = ${name} WHERE account = ${account}`
      return readAccount(sql, name)
    })
  }

  async deleteAccount(account: string): Promise<AccountRecord | null> {
    return await this.#change('delete the account', (sql) => {
      const record = readAccount(sql, account)
      if (!record) return null
      const { id } = sql.get`SELECT id FROM accounts WHERE account = ${account}` as { id: number }
      sql.run`DELETE FROM key_windows WHERE key_id IN (SELECT id FROM keys WHERE account_id = ${id})`
      sql.run`DELETE FROM keys WHERE account_id = ${id}`
      sql.run`DELETE FROM periods WHERE account_id = ${id}`
      sql.run`DELETE FROM accounts WHERE id = ${id}`
      return record
    })
  }

  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return await this.#write('add the key', (sql) => this.#addKey(sql, account, key))
  }

  async keys(): Promise<KeyRecord[]> {
    return await this.#read('read the keys', (sql) =>
      sql.all`
        SELECT key_id AS keyId, account, plan, prefix, last4, enabled,
          k.created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs
        FROM keys k JOIN accounts a ON a.id = k.account_id ORDER BY k.id`.map(toKeyRecord),
    )
  }

  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return await this.#change('change the key', (sql) => {
      sql.run`UPDATE keys SET enabled = ${enabled ? 1 : 0} WHERE key_id = ${keyId}`
      return readKey(sql, keyId)
    })
  }

  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    return await this.#change('rotate the key', (sql) => {
      const old = readKey(sql, keyId)
      if (!old) return null
      const endMs = Math.min(this.#clock.now() + overlapMs, old.expiresAtMs ?? Infinity)
      sql.run`UPDATE keys SET expires_at_ms = ${endMs} WHERE key_id = ${keyId}`
      return this.#addKey(sql, old.account, next)
    })
  }

  #addKey(sql: SQLTagStore, account: string, { keyId, digest, prefix, last4 }: NewKey): KeyRecord {
    if (!readAccount(sql, account)) throw new Error(`cannot add a key: no account "${account}"`)
    sql.run`
      INSERT INTO keys (key_id, digest, account_id, prefix, last4, enabled, created_at_ms)
      VALUES (${keyId}, ${Buffer.from(digest, 'hex')}, (SELECT id FROM accounts WHERE account = ${account}),
        ${prefix}, ${last4}, 1, ${this.#clock.now()})`
    return readKey(sql, keyId)!
  }

  async #read<T>(action: string, work: (sql: SQLTagStore, db: DatabaseSync) => T): Promise<T> {
    return await this.#connection.run(action, 'BEGIN', (db) => work(this.#sql(db), db))
  }

  async #write<T>(action: string, work: (sql: SQLTagStore) => T): Promise<T> {
    return await this.#connection.run(action, 'BEGIN IMMEDIATE', (db) => work(this.#sql(db)))
  }

  /** A write that makes cached keys and accounts stale. */
  async #change<T>(action: string, work: (sql: SQLTagStore) => T): Promise<T> {
    return await this.#write(action, (sql) => {
      sql.run`UPDATE meta SET value = value + 1 WHERE name = 'config_version'`
      this.#onChange()
      return work(sql)
    })
  }
}

function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000)
}

function readAccount(sql: SQLTagStore, name: string): AccountRecord | null {
  const row = sql.get`
    SELECT account, plan, created_at_ms AS createdAtMs FROM accounts WHERE account = ${name}`
  return row ? toAccountRecord(row) : null
}

function readKey(sql: SQLTagStore, keyId: string): KeyRecord | null {
  const row = sql.get`
    SELECT key_id AS keyId, account, plan, prefix, last4, enabled,
      k.created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs
    FROM keys k JOIN accounts a ON a.id = k.account_id WHERE key_id = ${keyId}`
  return row ? toKeyRecord(row) : null
}

/** Rows of SQLite have no prototype, so they are copied into plain objects. */
function toAccountRecord(row: object): AccountRecord {
  return { ...(row as AccountRecord) }
}

function toKeyRecord(row: object): KeyRecord {
  const key = row as Omit<KeyRecord, 'enabled'> & { enabled: number }
  return { ...key, enabled: key.enabled === 1 }
}
