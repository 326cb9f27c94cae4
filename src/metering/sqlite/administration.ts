import type { DatabaseSync } from 'node:sqlite'
import { periodHolding, type Period } from '../period.ts'
import type { AccountRecord, KeyRecord, NewKey } from '../store.ts'

/**
 * Accounts and keys in the file. Every function runs inside a transaction of the caller's; those that change something move
 * `config_version`, so that every process reads keys and accounts again.
 */
export class SqliteAdministration {
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(db: DatabaseSync) {
    this.#sql = prepareStatements(db)
  }

  /** The secret of the cursors, kept with the first call. */
  cursorSecret(make: () => Uint8Array): Buffer {
    const secret = (this.#sql.secret.get() as { value: Uint8Array } | undefined)?.value ?? make()
    this.#sql.keepSecret.run(secret)
    return Buffer.from(secret)
  }

  ensureAccount(account: string, plan: string, nowMs: number): AccountRecord {
    this.#sql.addAccount.run(account, plan, nowMs)
    return this.account(account)!
  }

  createAccount(account: string, plan: string, nowMs: number): AccountRecord | null {
    const { changes } = this.#sql.addAccount.run(account, plan, nowMs)
    return Number(changes) === 1 ? this.account(account) : null
  }

  /** Days are numbered from the epoch; a clock that steps back opens no spent day again. Those of other addresses are forgotten with their day. */
  countSignUp(address: string, perDay: number, nowMs: number): boolean {
    const stored = this.#sql.signUps.get(address) as { day: number; count: number } | undefined
    const day = Math.max(dayOf(nowMs), stored?.day ?? 0)
    const count = stored?.day === day ? stored.count : 0
    if (count >= perDay) return false
    this.#sql.forgetSignUps.run(day - 1)
    this.#sql.keepSignUps.run(address, day, count + 1)
    return true
  }

  account(name: string): AccountRecord | null {
    return plain<AccountRecord>(this.#sql.account.get(name))
  }

  accounts(): AccountRecord[] {
    return this.#sql.accounts.all().map((row) => plain<AccountRecord>(row)!)
  }

  setPlan(account: string, plan: string): AccountRecord | null {
    this.#sql.setPlan.run(plan, account)
    this.#sql.configChanged.run()
    return this.account(account)
  }

  /** The latest period counted in, and the units counted; the period of `nowMs` with 0 where that is later. */
  period(account: AccountRecord, nowMs: number): { period: Period; requests: number } {
    const latest = this.#sql.latestPeriod.get(account.account) as
      { startMs: number; requests: number } | undefined
    const period = periodHolding(account.createdAtMs, Math.max(nowMs, latest?.startMs ?? nowMs))
    return { period, requests: latest?.startMs === period.startMs ? latest.requests : 0 }
  }

  /** @throws {Error} there is no such account */
  addKey(account: string, { keyId, digest, prefix, last4 }: NewKey, nowMs: number): KeyRecord {
    if (!this.account(account)) throw new Error(`cannot add a key: no account "${account}"`)
    this.#sql.addKey.run(keyId, digest, account, prefix, last4, nowMs)
    return this.key(keyId)!
  }

  key(keyId: string): KeyRecord | null {
    const row = this.#sql.key.get(keyId)
    return row ? toKeyRecord(row) : null
  }

  keys(): KeyRecord[] {
    return this.#sql.keys.all().map(toKeyRecord)
  }

  setKeyEnabled(keyId: string, enabled: boolean): KeyRecord | null {
    this.#sql.setKeyEnabled.run(enabled ? 1 : 0, keyId)
    this.#sql.configChanged.run()
    return this.key(keyId)
  }

  rotateKey(keyId: string, next: NewKey, overlapMs: number, nowMs: number): KeyRecord | null {
    const old = this.key(keyId)
    if (!old) return null
    this.#sql.expireKey.run(Math.min(nowMs + overlapMs, old.expiresAtMs ?? Infinity), keyId)
    this.#sql.configChanged.run()
    return this.addKey(old.account, next, nowMs)
  }
}

function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000)
}

function prepareStatements(db: DatabaseSync) {
  const accounts = 'SELECT account, plan, created_at_ms AS createdAtMs FROM accounts'
  const keys = `
    SELECT key_id AS keyId, account, plan, prefix, last4, enabled, k.created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs
    FROM keys k JOIN accounts a ON a.id = k.account_id`
  return {
    configChanged: db.prepare(`UPDATE meta SET value = value + 1 WHERE name = 'config_version'`),
    secret: db.prepare(`SELECT value FROM meta WHERE name = 'cursor_secret'`),
    keepSecret: db.prepare(`INSERT OR IGNORE INTO meta VALUES ('cursor_secret', ?)`),
    account: db.prepare(`${accounts} WHERE account = ?`),
    accounts: db.prepare(`${accounts} ORDER BY id`),
    addAccount: db.prepare('INSERT OR IGNORE INTO accounts (account, plan, created_at_ms) VALUES (?, ?, ?)'),
    signUps: db.prepare('SELECT day, count FROM sign_ups WHERE address = ?'),
    keepSignUps: db.prepare('INSERT OR REPLACE INTO sign_ups VALUES (?, ?, ?)'),
    forgetSignUps: db.prepare('DELETE FROM sign_ups WHERE day < ?'),
    setPlan: db.prepare('UPDATE accounts SET plan = ? WHERE account = ?'),
    latestPeriod: db.prepare(`
      SELECT start_ms AS startMs, requests FROM periods WHERE account_id = (SELECT id FROM accounts WHERE account = ?)
      ORDER BY start_ms DESC LIMIT 1`),
    key: db.prepare(`${keys} WHERE key_id = ?`),
    keys: db.prepare(`${keys} ORDER BY k.id`),
    addKey: db.prepare(`
      INSERT INTO keys (key_id, digest, account_id, prefix, last4, enabled, created_at_ms)
      VALUES (?, ?, (SELECT id FROM accounts WHERE account = ?), ?, ?, 1, ?)`),
    setKeyEnabled: db.prepare('UPDATE keys SET enabled = ? WHERE key_id = ?'),
    expireKey: db.prepare('UPDATE keys SET expires_at_ms = ? WHERE key_id = ?'),
  }
}

/** A row as a plain object: SQLite's rows have no prototype. */
function plain<T>(row: object | undefined): T | null {
  return row ? ({ ...row } as T) : null
}

function toKeyRecord(row: object): KeyRecord {
  const key = row as Omit<KeyRecord, 'enabled'> & { enabled: number }
  return { ...key, enabled: key.enabled === 1 }
}
