import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Plan } from '#contract/plans.ts'
import { decide, quotaState, windowState } from './decide.ts'
import type { RandomBytes } from './key.ts'
import { periodHolding } from './period.ts'
import {
  StoreUnavailable,
  type AccountRecord,
  type Decision,
  type KeyRecord,
  type MeterOptions,
  type MeterStore,
  type NewKey,
  type QuotaState,
  type Receipt,
  type Subject,
} from './store.ts'
import { minuteOf, windowInForce, type WindowCount } from './window.ts'

export interface SqliteOptions extends MeterOptions {
  /** Makes the secret of the cursors; `crypto.randomBytes` unless given. */
  random?: RandomBytes
  /** How long a call waits for other processes before it gives up, in milliseconds; 5000 unless given. */
  busyTimeoutMs?: number
  /**
   * Accounts on a plan that `plans` lacks: `refuse` to open (unless given), or `allow` them, for the commands that mend this.
   * They are not metered either way.
   */
  unknownPlans?: 'refuse' | 'allow'
}

/** SQLite's own mark of whose file this is (https://sqlite.org/pragma.html#pragma_application_id): "CLKM" in ASCII. */
const applicationId = 0x434c4b4d

/** Raised whenever `schema` changes. */
const schemaVersion = 1

/**
 * `windows` keeps one row a subject: the last window it had. `periods` keeps every period, for billing. Tables with a
 * rowid list in the order of creation.
 */
const schema = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (account TEXT PRIMARY KEY, plan TEXT NOT NULL, created_at_ms INTEGER NOT NULL) STRICT;
  CREATE TABLE keys (
    key_id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    account TEXT NOT NULL REFERENCES accounts,
    prefix TEXT NOT NULL,
    last4 TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER
  ) STRICT;
  CREATE TABLE windows (subject TEXT PRIMARY KEY, minute INTEGER NOT NULL, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE periods (
    account TEXT NOT NULL REFERENCES accounts,
    period_start_ms INTEGER NOT NULL,
    requests INTEGER NOT NULL CHECK (requests >= 0),
    PRIMARY KEY (account, period_start_ms)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('schema_version', ${schemaVersion});
  PRAGMA application_id = ${applicationId};
`

/** The window of an address is swept when it is this old, in minutes: further back than a clock steps. */
const sweepAfterMinutes = 60

/** An account and the key it is met by. */
type KeyInForce = AccountRecord & { keyId: string }

type KeyRow = Omit<KeyRecord, 'enabled'> & { enabled: number }

/**
 * The store on one machine: a SQLite file that all processes share.
 *
 * Every verb is one transaction, and those that write take the lock first (`BEGIN IMMEDIATE`), so that what is read is still
 * so when it is written. In WAL mode with `synchronous = NORMAL` what is committed survives any crash of a process; a loss
 * of power may take the last commits, never the file (https://sqlite.org/pragma.html#pragma_synchronous). A clock that steps
 * back opens no spent window or period again: both stay at the latest that they had reached.
 */
export class SqliteStore implements MeterStore {
  readonly #db: DatabaseSync
  readonly #plans: ReadonlyMap<string, Plan>
  readonly #clock: MeterOptions['clock']
  readonly #random: RandomBytes
  readonly #sql: ReturnType<typeof prepareStatements>
  #sweepAtMinute = 0

  private constructor(db: DatabaseSync, options: SqliteOptions) {
    this.#db = db
    this.#plans = new Map(options.plans.map((plan) => [plan.name, plan]))
    this.#clock = options.clock
    this.#random = options.random ?? randomBytes
    this.#sql = prepareStatements(db)
  }

  /**
   * Opens the store in a file, and makes it where there is none: folders with mode 0700, the file with 0600.
   *
   * @throws {Error} the file is something else, of another version, or has an account on a plan that the plans lack
   * @throws {StoreUnavailable} the file cannot be opened
   */
  static async open(file: string, options: SqliteOptions): Promise<SqliteStore> {
    let db: DatabaseSync | undefined
    try {
      db = openFile(file, options.busyTimeoutMs ?? 5000)
      await makeReady(db)
      const store = new SqliteStore(db, options)
      if (options.unknownPlans !== 'allow') store.#refuseUnknownPlans()
      return store
    } catch (error) {
      if (db?.isOpen) db.close()
      const { message } = error as Error
      const Refusal = isFault(error) ? StoreUnavailable : Error
      throw new Refusal(`cannot open the store "${file}": ${message}`, { cause: error })
    }
  }

  async consume(subject: Subject, units: 0 | 1): Promise<Decision> {
    return this.#transact('BEGIN IMMEDIATE', 'count the request', () => {
      const nowMs = this.#clock.now()
      if (subject.kind === 'address') {
        const window = this.#spendPlace(`address:${subject.address}`, nowMs)
        this.#sweep(minuteOf(nowMs))
        return decide({ nowMs, perMinute: subject.perMinute, window, quota: null, units })
      }
      const key = this.#keyInForce(subject.digest, nowMs)
      if (!key) return { outcome: 'unknown_key' }
      const quota = this.#quotaOf(key, nowMs)
      const window = this.#spendPlace(`key:${key.keyId}`, nowMs)
      const decision = decide({ nowMs, perMinute: quota.perMinute, window, quota, units })
      if (decision.outcome === 'admitted' && decision.receipt) this.#countUnit(decision.receipt)
      return decision
    })
  }

  async peek(subject: Subject): Promise<Decision> {
    return this.#transact('BEGIN', 'read the counters', () => {
      const nowMs = this.#clock.now()
      if (subject.kind === 'address') {
        const window = this.#window(`address:${subject.address}`, nowMs)
        return {
          outcome: 'admitted',
          window: windowState(subject.perMinute, window),
          quota: null,
          receipt: null,
        }
      }
      const key = this.#keyInForce(subject.digest, nowMs)
      if (!key) return { outcome: 'unknown_key' }
      const quota = this.#quotaOf(key, nowMs)
      const window = windowState(quota.perMinute, this.#window(`key:${key.keyId}`, nowMs))
      return { outcome: 'admitted', window, quota, receipt: null }
    })
  }

  async giveBack(receipt: Receipt): Promise<void> {
    this.#transact('BEGIN IMMEDIATE', 'give the unit back', () => {
      this.#sql.giveBack.run(receipt.account, receipt.periodStartMs)
    })
  }

  async cursorSecret(): Promise<Buffer> {
    return this.#transact('BEGIN IMMEDIATE', 'read the secret of the cursors', () => {
      const secret = (this.#sql.secret.get() as { value: Uint8Array } | undefined)?.value ?? this.#random(32)
      this.#sql.keepSecret.run(secret)
      return Buffer.from(secret)
    })
  }

  async ensureAccount(account: string, plan: string): Promise<AccountRecord> {
    return this.#transact('BEGIN IMMEDIATE', `create the account "${account}"`, () => {
      this.#sql.addAccount.run(account, plan, this.#clock.now())
      return this.#account(account)!
    })
  }

  async account(name: string): Promise<AccountRecord | null> {
    return this.#transact('BEGIN', 'read the account', () => this.#account(name))
  }

  async accounts(): Promise<AccountRecord[]> {
    return this.#transact('BEGIN', 'read the accounts', () => this.#accounts())
  }

  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return this.#transact('BEGIN IMMEDIATE', 'change the plan', () => {
      this.#sql.setPlan.run(plan, account)
      return this.#account(account)
    })
  }

  async quota(account: string): Promise<QuotaState | null> {
    return this.#transact('BEGIN', 'read the quota', () => {
      const record = this.#account(account)
      return record && this.#quotaOf(record, this.#clock.now())
    })
  }

  /** @throws {Error} there is no such account */
  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return this.#transact('BEGIN IMMEDIATE', 'add the key', () => {
      if (!this.#account(account)) throw new Error(`cannot add a key: no account "${account}"`)
      return this.#addKey(account, key)
    })
  }

  async key(keyId: string): Promise<KeyRecord | null> {
    return this.#transact('BEGIN', 'read the key', () => this.#key(keyId))
  }

  async keys(): Promise<KeyRecord[]> {
    return this.#transact('BEGIN', 'read the keys', () => this.#sql.keys.all().map(toKeyRecord))
  }

  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return this.#transact('BEGIN IMMEDIATE', 'change the key', () => {
      this.#sql.setKeyEnabled.run(enabled ? 1 : 0, keyId)
      return this.#key(keyId)
    })
  }

  async rotateKey(keyId: string, next: NewKey, expiresAtMs: number): Promise<KeyRecord | null> {
    return this.#transact('BEGIN IMMEDIATE', 'rotate the key', () => {
      const old = this.#key(keyId)
      if (!old) return null
      this.#sql.expireKey.run(Math.min(expiresAtMs, old.expiresAtMs ?? expiresAtMs), keyId)
      return this.#addKey(old.account, next)
    })
  }

  async close(): Promise<void> {
    if (this.#db.isOpen) this.#db.close()
  }

  #keyInForce(digest: Buffer, nowMs: number): KeyInForce | undefined {
    return this.#sql.keyInForce.get(digest, nowMs) as KeyInForce | undefined
  }

  /** The account's period, rolled over; the latest one counted in where the clock has stepped back behind it. */
  #quotaOf(account: AccountRecord, nowMs: number): QuotaState {
    const plan = this.#plans.get(account.plan)
    if (!plan) throw new StoreUnavailable(unknownPlan(account))
    const latest = this.#sql.latestPeriod.get(account.account) as
      { startMs: number; requests: number } | undefined
    const period = periodHolding(account.createdAtMs, Math.max(nowMs, latest?.startMs ?? nowMs))
    return quotaState(account, plan, period, latest?.startMs === period.startMs ? latest.requests : 0)
  }

  #countUnit(receipt: Receipt): void {
    this.#sql.countUnit.run(receipt.account, receipt.periodStartMs)
  }

  #window(subject: string, nowMs: number): WindowCount {
    return windowInForce(this.#sql.window.get(subject) as WindowCount | undefined, minuteOf(nowMs))
  }

  #spendPlace(subject: string, nowMs: number): WindowCount {
    const { minute, count } = this.#window(subject, nowMs)
    this.#sql.putWindow.run(subject, minute, count + 1)
    return { minute, count: count + 1 }
  }

  /** Forgets the old windows of addresses, of which there is no end; in passing, once in so many minutes. */
  #sweep(minute: number): void {
    if (minute < this.#sweepAtMinute) return
    this.#sql.sweep.run(minute - sweepAfterMinutes)
    this.#sweepAtMinute = minute + sweepAfterMinutes
  }

  #account(name: string): AccountRecord | null {
    return plain<AccountRecord>(this.#sql.account.get(name))
  }

  #accounts(): AccountRecord[] {
    return this.#sql.accounts.all().map((row) => plain<AccountRecord>(row)!)
  }

  #key(keyId: string): KeyRecord | null {
    const row = this.#sql.key.get(keyId)
    return row ? toKeyRecord(row) : null
  }

  #addKey(account: string, { keyId, digest, prefix, last4 }: NewKey): KeyRecord {
    this.#sql.addKey.run(keyId, digest, account, prefix, last4, this.#clock.now())
    return this.#key(keyId)!
  }

  #refuseUnknownPlans(): void {
    const lost = this.#accounts().find((account) => !this.#plans.has(account.plan))
    if (lost) throw new Error(unknownPlan(lost))
  }

  #transact<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', action: string, work: () => T): T {
    try {
      return transact(this.#db, begin, work)
    } catch (error) {
      if (!isFault(error)) throw error
      throw new StoreUnavailable(`cannot ${action}: ${(error as Error).message}`, { cause: error })
    }
  }
}

function prepareStatements(db: DatabaseSync) {
  const accounts = 'SELECT account, plan, created_at_ms AS createdAtMs FROM accounts'
  const keys = `
    SELECT key_id AS keyId, account, plan, prefix, last4, enabled, k.created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs
    FROM keys k JOIN accounts USING (account)`
  return {
    keyInForce: db.prepare(`
      SELECT key_id AS keyId, account, plan, a.created_at_ms AS createdAtMs FROM keys JOIN accounts a USING (account)
      WHERE digest = ? AND enabled = 1 AND (expires_at_ms IS NULL OR expires_at_ms > ?)`),
    window: db.prepare('SELECT minute, count FROM windows WHERE subject = ?'),
    putWindow: db.prepare('INSERT OR REPLACE INTO windows VALUES (?, ?, ?)'),
    // ';' is the character after ':'
    sweep: db.prepare(
      `DELETE FROM windows WHERE subject >= 'address:' AND subject < 'address;' AND minute < ?`,
    ),
    latestPeriod: db.prepare(`
      SELECT period_start_ms AS startMs, requests FROM periods WHERE account = ? ORDER BY period_start_ms DESC LIMIT 1`),
    countUnit: db.prepare(
      'INSERT INTO periods VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET requests = requests + 1',
    ),
    giveBack: db.prepare(`
      UPDATE periods SET requests = requests - 1 WHERE account = ? AND period_start_ms = ? AND requests > 0`),
    secret: db.prepare(`SELECT value FROM meta WHERE name = 'cursor_secret'`),
    keepSecret: db.prepare(`INSERT OR IGNORE INTO meta VALUES ('cursor_secret', ?)`),
    account: db.prepare(`${accounts} WHERE account = ?`),
    accounts: db.prepare(`${accounts} ORDER BY rowid`),
    addAccount: db.prepare('INSERT OR IGNORE INTO accounts VALUES (?, ?, ?)'),
    setPlan: db.prepare('UPDATE accounts SET plan = ? WHERE account = ?'),
    key: db.prepare(`${keys} WHERE key_id = ?`),
    keys: db.prepare(`${keys} ORDER BY k.rowid`),
    addKey: db.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, ?, 1, ?, NULL)'),
    setKeyEnabled: db.prepare('UPDATE keys SET enabled = ? WHERE key_id = ?'),
    expireKey: db.prepare('UPDATE keys SET expires_at_ms = ? WHERE key_id = ?'),
  }
}

/** Opens the file alone. The mode is set by path: closing a descriptor of our own would drop SQLite's locks on the file. */
function openFile(file: string, timeout: number): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const isNew = !existsSync(file)
  const db = new DatabaseSync(file, { timeout })
  if (isNew) chmodSync(file, 0o600)
  return db
}

/** Checks that the database is ours, and makes it so where it is empty. Safe for many processes at once. */
async function makeReady(db: DatabaseSync): Promise<void> {
  isEmpty(db)
  await useWal(db)
  db.exec('PRAGMA synchronous = NORMAL')
  transact(db, 'BEGIN IMMEDIATE', () => {
    if (isEmpty(db)) db.exec(schema)
  })
  const { value } = db.prepare(`SELECT value FROM meta WHERE name = 'schema_version'`).get() as {
    value: number
  }
  if (value !== schemaVersion)
    throw new Error(`its schema is version ${value}, this program has version ${schemaVersion}`)
}

/** @throws {Error} it is neither empty nor a store of ours */
function isEmpty(db: DatabaseSync): boolean {
  const { id, tables } = db
    .prepare(
      'SELECT application_id AS id, (SELECT count(*) FROM sqlite_schema) AS tables FROM pragma_application_id',
    )
    .get() as { id: number; tables: number }
  if (id === applicationId) return false
  if (id === 0 && tables === 0) return true
  throw new Error('it is another SQLite database, not a store of clip-lookup')
}

/**
 * The change to WAL does not heed the busy timeout: where six processes opened a new file at one instant, 6 of 240 were told
 * SQLITE_BUSY. Hence the patience here, 2 s at most.
 */
async function useWal(db: DatabaseSync): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (primaryCode(error) !== sqliteBusy || attempt === 100) throw error
      await sleep(20)
    }
  }
}

function transact<T>(db: DatabaseSync, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
  db.exec(begin)
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

const sqliteBusy = 5

/** SQLite's result code without its extension (https://sqlite.org/rescode.html); undefined where it is no error of SQLite. */
function primaryCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number }
  return errcode === undefined ? undefined : errcode & 0xff
}

/** Whether SQLite or the file system failed, or the store is closed: no answer of ours. */
function isFault(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return code === 'ERR_SQLITE_ERROR' || code === 'ERR_INVALID_STATE' || syscall !== undefined
}

function unknownPlan({ account, plan }: AccountRecord): string {
  return `the account "${account}" is on the plan "${plan}", which the plans lack`
}

/** A row as a plain object: SQLite's rows have no prototype. */
function plain<T>(row: object | undefined): T | null {
  return row ? ({ ...row } as T) : null
}

function toKeyRecord(row: object): KeyRecord {
  const key = row as KeyRow
  return { ...key, enabled: key.enabled === 1 }
}
