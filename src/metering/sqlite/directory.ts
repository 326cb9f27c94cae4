import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { quotaState } from '../decide.ts'
import type { RandomBytes } from '../key.ts'
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
import { prepareDirectoryStatements } from './directory-statements.ts'
import { readPeriod } from './period-row.ts'

export interface SqliteDirectoryOptions {
  planTable: PlanTable
  clock: MeterOptions['clock']
  /** Makes the secret that signs cursors; `crypto.randomBytes` by default. */
  random?: RandomBytes | undefined
  /** Called when accounts or keys were changed through this connection. */
  onChange(): void
}

type Sql = ReturnType<typeof prepareDirectoryStatements>

/**
 * Accounts and keys in the SQLite file, one transaction a call. A change to what processes cache
 * increments `config_version`, so that every process reads keys and accounts again.
 */
export class SqliteDirectory implements Directory {
  readonly #connection: SqliteConnection
  readonly #plans: PlanTable
  readonly #clock: MeterOptions['clock']
  readonly #random: RandomBytes
  readonly #onChange: () => void
  readonly #sql = preparedFor(prepareDirectoryStatements)

  constructor(connection: SqliteConnection, options: SqliteDirectoryOptions) {
    this.#connection = connection
    this.#plans = options.planTable
    this.#clock = options.clock
    this.#random = options.random ?? randomBytes
    this.#onChange = options.onChange
  }

  async cursorSecret(): Promise<Buffer> {
    return await this.#write('read the secret that signs cursors', (sql) => {
      const kept = sql.secret.get() as { value: Uint8Array } | undefined
      const secret = kept?.value ?? this.#random(32)
      if (!kept) sql.keepSecret.run(secret)
      return Buffer.from(secret)
    })
  }

  async ensureAccount(account: string, plan: string): Promise<AccountRecord> {
    return await this.#write(`create the account "${account}"`, (sql) => {
      sql.addAccount.run(account, plan, this.#clock.now())
      return readAccount(sql, account)!
    })
  }

  async createAccount(account: string, plan: string): Promise<AccountRecord | null> {
    return await this.#write(`create the account "${account}"`, (sql) => {
      const { changes } = sql.addAccount.run(account, plan, this.#clock.now())
      return Number(changes) === 1 ? readAccount(sql, account) : null
    })
  }

  /** Days are numbered from the epoch. A clock that steps back does not open a spent day again. */
  async countSignUp(address: string, perDay: number): Promise<boolean> {
    return await this.#write('count the sign-up', (sql) => {
      const stored = sql.signUps.get(address) as { day: number; count: number } | undefined
      const today = dayOf(this.#clock.now())
      const day = stored?.day === today + 1 ? stored.day : today
      const count = stored?.day === day ? stored.count : 0
      if (count >= perDay) return false
      sql.deleteSignUps.run(day - 1)
      sql.putSignUps.run(address, day, count + 1)
      return true
    })
  }

  async account(name: string): Promise<AccountRecord | null> {
    return await this.#read('read the account', (sql) => readAccount(sql, name))
  }

  async accounts(): Promise<AccountRecord[]> {
    return await this.#read('read the accounts', (sql) => sql.accounts.all().map(toAccountRecord))
  }

  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return await this.#change('change the plan', (sql) => {
      sql.setPlan.run(plan, account)
      return readAccount(sql, account)
    })
  }

  async quota(account: string): Promise<QuotaState | null> {
    return await this.#read('read the quota', (sql, db) => {
      const record = readAccount(sql, account)
      if (!record) return null
      const plan = this.#plans.of(record)
      const { id } = sql.accountId.get(account) as { id: number }
      const nowMs = this.#clock.now()
      const { period, requests } = readPeriod(db, { id, createdAtMs: record.createdAtMs }, nowMs)
      return quotaState(record, plan, period, requests)
    })
  }

  async periods(account: string): Promise<PeriodCount[]> {
    return await this.#read('read the periods', (sql) => readPeriods(sql, account))
  }

  async renameAccount(account: string, name: string): Promise<AccountRecord | null> {
    return await this.#change('rename the account', (sql) => {
      if (!readAccount(sql, account)) return null
      if (readAccount(sql, name))
        throw new Error(`cannot rename "${account}": there is already an account "${name}"`)
      sql.renameAccount.run(name, account)
      return readAccount(sql, name)
    })
  }

  async deleteAccount(account: string): Promise<AccountRecord | null> {
    return await this.#change('delete the account', (sql) => {
      const record = readAccount(sql, account)
      if (!record) return null
      const { id } = sql.accountId.get(account) as { id: number }
      for (const statement of [sql.deleteWindows, sql.deleteKeys, sql.deletePeriods, sql.deleteAccount])
        statement.run(id)
      return record
    })
  }

  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return await this.#write('add the key', (sql) => this.#addKey(sql, account, key))
  }

  async key(keyId: string): Promise<KeyRecord | null> {
    return await this.#read('read the key', (sql) => readKey(sql, keyId))
  }

  async keys(): Promise<KeyRecord[]> {
    return await this.#read('read the keys', (sql) => sql.keys.all().map(toKeyRecord))
  }

  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return await this.#change('change the key', (sql) => {
      sql.setKeyEnabled.run(enabled ? 1 : 0, keyId)
      return readKey(sql, keyId)
    })
  }

  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    return await this.#change('rotate the key', (sql) => {
      const old = readKey(sql, keyId)
      if (!old) return null
      sql.expireKey.run(Math.min(this.#clock.now() + overlapMs, old.expiresAtMs ?? Infinity), keyId)
      return this.#addKey(sql, old.account, next)
    })
  }

  #addKey(sql: Sql, account: string, { keyId, digest, prefix, last4 }: NewKey): KeyRecord {
    if (!readAccount(sql, account)) throw new Error(`cannot add a key: no account "${account}"`)
    sql.addKey.run(keyId, digest, account, prefix, last4, this.#clock.now())
    return readKey(sql, keyId)!
  }

  async #read<T>(action: string, work: (sql: Sql, db: DatabaseSync) => T): Promise<T> {
    return await this.#connection.run(action, 'BEGIN', (db) => work(this.#sql(db), db))
  }

  async #write<T>(action: string, work: (sql: Sql) => T): Promise<T> {
    return await this.#connection.run(action, 'BEGIN IMMEDIATE', (db) => work(this.#sql(db)))
  }

  /** A write that makes cached keys and accounts stale. */
  async #change<T>(action: string, work: (sql: Sql) => T): Promise<T> {
    return await this.#write(action, (sql) => {
      sql.configChanged.run()
      this.#onChange()
      return work(sql)
    })
  }
}

function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000)
}

function readAccount(sql: Sql, name: string): AccountRecord | null {
  const row = sql.account.get(name)
  return row ? toAccountRecord(row) : null
}

function readPeriods(sql: Sql, account: string): PeriodCount[] {
  return sql.periods.all(account).map((row) => ({ ...(row as unknown as PeriodCount) }))
}

function readKey(sql: Sql, keyId: string): KeyRecord | null {
  const row = sql.key.get(keyId)
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
