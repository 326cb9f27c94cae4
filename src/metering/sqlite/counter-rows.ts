import type { DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { foldName } from '../account-name.ts'
import type { Period } from '../period.ts'
import type { AccountRecord, Receipt } from '../store.ts'
import { aheadMinutes, type WindowCount } from '../window.ts'
import { holds, readPeriod, validity, type PeriodRow } from './period-row.ts'

/**
 * How many keys, accounts or addresses a process caches. Above that it forgets all of them, between
 * two batches.
 */
const maxRemembered = 10_000

/** The window of an address is deleted when no clock that steps back can need it any more. */
const sweepAfterMinutes = aheadMinutes

const never: Period = { startMs: 0, endMs: 0 }
const nothingSpent = { startMs: 0, requests: 0 }

interface Row {
  /** When the numbers were read. They are current if this is the epoch of `CounterRows`. */
  epoch: number
}

type Account = Omit<AccountRecord, 'bySignUp'>

interface AccountRow extends Row, Account {
  kind: 'account'
  id: number
  /** The period in force for as long as `validity` says. */
  current: PeriodRow
  validity: Period
  /** The plan that units are counted under, and the one that is written in the period. */
  spending: Plan | undefined
  noted: Plan | undefined
}

interface KeyRow extends Row {
  kind: 'key'
  id: number
  keyId: string
  enabled: boolean
  expiresAtMs: number | null
  account: AccountRow
  window: WindowCount
  /** Units that the key spent in the period that it last spent any in, which begins there. */
  spent: { startMs: number; requests: number }
  /** Whether window and units have a row. */
  isStored: boolean
}

interface AddressRow extends Row {
  kind: 'address'
  address: string
  window: WindowCount
}

type StoredKey = Pick<KeyRow, 'id' | 'keyId' | 'expiresAtMs'> & {
  enabled: number
  accountId: number
} & Account

/**
 * A cache of the rows of the counters: read on demand, changed in memory, and written once a batch.
 *
 * Invariant: a number in memory is used only if no other process has committed since it was read,
 * which `PRAGMA data_version` shows. Keys and accounts are valid until `config_version` changes. So
 * a single process reads nothing again, and each of several reads a row once a batch.
 */
export class CounterRows {
  #db: DatabaseSync | null = null
  #sql!: ReturnType<typeof prepareStatements>
  #epoch = 0
  #dataVersion = -1
  #configVersion = -1
  readonly #keys = new Map<string, KeyRow>()
  readonly #accounts = new Map<number, AccountRow>()
  readonly #addresses = new Map<string, AddressRow>()
  readonly #touched = new Set<KeyRow | AccountRow | AddressRow>()
  #sweepAtMinute = 0

  /** Begins a batch: drops what has become stale. */
  refresh(db: DatabaseSync): void {
    if (db !== this.#db) {
      this.forget()
      this.#sql = prepareStatements(db)
      this.#db = db
    }
    if (this.#keys.size > maxRemembered || this.#accounts.size > maxRemembered) this.#forgetKeys()
    if (this.#addresses.size > maxRemembered) this.#addresses.clear()
    const { data_version: dataVersion } = this.#sql.dataVersion.get() as { data_version: number }
    if (dataVersion === this.#dataVersion) return
    this.#dataVersion = dataVersion
    this.#epoch++
    const { value: configVersion } = this.#sql.configVersion.get() as { value: number }
    if (configVersion === this.#configVersion) return
    this.#configVersion = configVersion
    this.#forgetKeys()
  }

  forget(): void {
    this.#dataVersion = -1
    this.#touched.clear()
    this.#forgetKeys()
    this.#addresses.clear()
  }

  /** The row of a key, current; undefined if there is no such key. */
  key(digest: string): KeyRow | undefined {
    const known = this.#keys.get(digest)
    if (known?.epoch === this.#epoch) return known
    const key = known ?? this.#readKey(digest)
    if (!key) return undefined
    const counts = this.#sql.keyCounts.get(key.id)
    key.window = toWindow(counts)
    const { startMs, requests } = (counts ?? nothingSpent) as KeyRow['spent']
    key.spent = { startMs, requests }
    key.isStored = counts !== undefined
    key.epoch = this.#epoch
    this.#keys.set(digest, key)
    return key
  }

  keyIdOf(digest: string): string | undefined {
    return this.#keys.get(digest)?.keyId
  }

  /** The account's period in force, current. Reading it does not write to the file. */
  period(account: AccountRow, nowMs: number): PeriodRow {
    // The first period holds every earlier instant, too.
    const instantMs = Math.max(nowMs, account.createdAtMs)
    if (account.epoch === this.#epoch && holds(account.validity, instantMs)) return account.current
    const { startMs } = account.current.period
    account.current = readPeriod(this.#db!, account, nowMs, account.current.period)
    if (account.current.period.startMs !== startMs) account.noted = undefined
    account.validity = validity(account.current)
    account.epoch = this.#epoch
    return account.current
  }

  countUnit(key: KeyRow, plan: Plan): void {
    const { account } = key
    account.current.requests++
    account.spending = plan
    this.touch(account)
    const { startMs } = account.current.period
    if (key.spent.startMs !== startMs) {
      if (key.spent.requests > 0) this.#sql.keepSpent.run(key.id, key.spent.startMs, key.spent.requests)
      key.spent = { startMs, requests: 0 }
    }
    key.spent.requests++
  }

  address(address: string): AddressRow {
    const known = this.#addresses.get(address)
    if (known?.epoch === this.#epoch) return known
    const window = toWindow(this.#sql.addressWindow.get(address))
    const row: AddressRow = { kind: 'address', address, window, epoch: this.#epoch }
    this.#addresses.set(address, row)
    return row
  }

  /** Rare, so rows are searched, which is cheaper than an index by name. */
  giveBack({ account, keyId = '', periodStartMs }: Receipt): void {
    this.#sql.giveBack.run(foldName(account), periodStartMs)
    for (const row of this.#accounts.values()) {
      const isCurrent = row.epoch === this.#epoch && row.current.period.startMs === periodStartMs
      if (isCurrent && row.account === account) row.current.requests = Math.max(0, row.current.requests - 1)
    }
    const { changes } = this.#sql.giveBackSpent.run(keyId, periodStartMs)
    if (changes === 0) this.#sql.giveBackKept.run(keyId, periodStartMs)
    for (const { keyId: id, spent } of this.#keys.values())
      if (id === keyId && spent.startMs === periodStartMs) spent.requests = Math.max(0, spent.requests - 1)
  }

  touch(row: KeyRow | AccountRow | AddressRow): void {
    this.#touched.add(row)
  }

  /** Ends a batch: writes the rows that were changed. */
  write(): void {
    for (const row of this.#touched) {
      if (row.kind === 'account') this.#writePeriod(row)
      else if (row.kind === 'key') this.#writeKeyCounts(row)
      else this.#sql.putAddressWindow.run(row.address, row.window.minute, row.window.count)
    }
    this.#touched.clear()
  }

  /** Deletes old windows of addresses, once an hour. */
  sweepAddresses(minute: number): void {
    // The last sweep may have been at a wrong time in the future: that must not stop sweeping.
    if (minute < this.#sweepAtMinute && this.#sweepAtMinute - minute <= sweepAfterMinutes) return
    this.#sql.sweep.run(minute - sweepAfterMinutes)
    this.#sweepAtMinute = minute + sweepAfterMinutes
  }

  /** Forgets both: keys refer to their account, which must have only one row. */
  #forgetKeys(): void {
    this.#keys.clear()
    this.#accounts.clear()
  }

  #readKey(digest: string): KeyRow | undefined {
    const row = this.#sql.key.get(Buffer.from(digest, 'hex')) as StoredKey | undefined
    if (!row) return undefined
    const { id, keyId, enabled, expiresAtMs, accountId, account, plan, createdAtMs } = row
    // Its period has not been read yet.
    const unread = { period: never, id: null, requests: 0, latestMs: null }
    const owner = this.#accounts.getOrInsertComputed(accountId, () => ({
      kind: 'account',
      id: accountId,
      account,
      plan,
      createdAtMs,
      current: unread,
      validity: never,
      spending: undefined,
      noted: undefined,
      epoch: -1,
    }))
    return {
      kind: 'key',
      id,
      keyId,
      enabled: enabled === 1,
      expiresAtMs,
      account: owner,
      window: { minute: 0, count: 0 },
      spent: nothingSpent,
      isStored: false,
      epoch: -1,
    }
  }

  /** An existing row is updated by its id, which takes three quarters of the time of an upsert. */
  #writePeriod(account: AccountRow): void {
    const { current, id } = account
    const { startMs } = current.period
    const { name, perPeriod, perMinute } = account.spending!
    if (current.id === null)
      current.id = this.#sql.addPeriod.run(
        id,
        startMs,
        current.requests,
        name,
        perPeriod,
        perMinute,
      ).lastInsertRowid
    else {
      this.#sql.updatePeriod.run(current.requests, current.id)
      if (account.noted !== account.spending) this.#sql.notePlan.run(name, perPeriod, perMinute, current.id)
    }
    account.noted = account.spending
    if (current.latestMs === startMs) return
    this.#sql.setLatestPeriod.run(startMs, id)
    current.latestMs = startMs
    account.validity = validity(current)
  }

  #writeKeyCounts(key: KeyRow): void {
    const { window, spent, id } = key
    if (key.isStored)
      this.#sql.updateKeyCounts.run(window.minute, window.count, spent.startMs, spent.requests, id)
    else this.#sql.addKeyCounts.run(id, window.minute, window.count, spent.startMs, spent.requests)
    key.isStored = true
  }
}

function toWindow(row: unknown): WindowCount {
  const { minute = 0, count = 0 } = (row ?? {}) as Partial<WindowCount>
  return { minute, count }
}

function prepareStatements(db: DatabaseSync) {
  return {
    dataVersion: db.prepare('PRAGMA data_version'),
    configVersion: db.prepare(`SELECT value FROM meta WHERE name = 'config_version'`),
    key: db.prepare(`
    SELECT k.id, key_id AS keyId, enabled, expires_at_ms AS expiresAtMs, a.id AS accountId, account, plan, a.created_at_ms AS createdAtMs
    FROM keys k JOIN accounts a ON a.id = k.account_id WHERE digest = ?`),
    keyCounts: db.prepare(
      'SELECT minute, count, start_ms AS startMs, requests FROM key_counts WHERE key_id = ?',
    ),
    addKeyCounts: db.prepare('INSERT INTO key_counts VALUES (?, ?, ?, ?, ?)'),
    updateKeyCounts: db.prepare(
      'UPDATE key_counts SET minute = ?, count = ?, start_ms = ?, requests = ? WHERE key_id = ?',
    ),
    keepSpent: db.prepare(`
    INSERT INTO key_periods VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`),
    giveBackSpent: db.prepare(`
    UPDATE key_counts SET requests = requests - 1
    WHERE key_id = (SELECT id FROM keys WHERE key_id = ?) AND start_ms = ? AND requests > 0`),
    giveBackKept: db.prepare(`
    UPDATE key_periods SET requests = requests - 1
    WHERE key_id = (SELECT id FROM keys WHERE key_id = ?) AND start_ms = ? AND requests > 0`),
    addressWindow: db.prepare('SELECT minute, count FROM address_windows WHERE address = ?'),
    putAddressWindow: db.prepare('INSERT OR REPLACE INTO address_windows VALUES (?, ?, ?)'),
    sweep: db.prepare('DELETE FROM address_windows WHERE minute < ?'),
    setLatestPeriod: db.prepare('UPDATE accounts SET latest_period_ms = ? WHERE id = ?'),
    addPeriod: db.prepare(`
    INSERT INTO periods (account_id, start_ms, requests, plan, per_period, per_minute) VALUES (?, ?, ?, ?, ?, ?)`),
    updatePeriod: db.prepare('UPDATE periods SET requests = ? WHERE id = ?'),
    notePlan: db.prepare('UPDATE periods SET plan = ?, per_period = ?, per_minute = ? WHERE id = ?'),
    giveBack: db.prepare(`
    UPDATE periods SET requests = requests - 1
    WHERE account_id = (SELECT id FROM accounts WHERE folded = ? AND deleted_at_ms IS NULL) AND start_ms = ? AND requests > 0`),
  }
}
