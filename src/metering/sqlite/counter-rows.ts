import type { DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { formatPlan, parseAccount, textNames, type AccountRecord } from '../account-record.ts'
import { periodInForce, type Period } from '../period.ts'
import type { Receipt } from '../store.ts'
import { aheadMinutes, type WindowCount } from '../window.ts'
import { readText } from './records.ts'
import { statementsOf, type Statements } from './statements.ts'

/**
 * How many keys, accounts or addresses a process caches. Above that it forgets all of them, between
 * two batches.
 */
const maxRemembered = 10_000

/** The window of an address is deleted when no clock that steps back can need it any more. */
const sweepAfterMinutes = aheadMinutes

const noWindow: WindowCount = { minute: 0, count: 0 }

interface Row {
  /** When the numbers were read. They are current if this is the epoch of `CounterRows`. */
  epoch: number
}

interface AccountRow extends Row {
  kind: 'account'
  id: string
  record: AccountRecord
  /** The period that was last seen in force, and the units counted in it. */
  period: Period
  requests: number
  /** The row of the period; null if it has none yet. */
  rowId: number | bigint | null
  /** The start of the period that was last counted in; null if none was. */
  latestMs: number | null
  /** The plan that is noted in the period, and the one that is to be. */
  noted: string | null
  spending: string | null
}

interface KeyRow extends Row {
  kind: 'key'
  keyId: string
  isEnabled: boolean
  expiresAtMs: number | null
  account: AccountRow
  window: WindowCount
  /** Units that the key spent in the period that it last spent any in, which begins there. */
  spent: { startMs: number; requests: number }
  /** The row of window and units; null if they have none yet. */
  rowId: number | bigint | null
}

interface AddressRow extends Row {
  kind: 'address'
  address: string
  window: WindowCount
}

/**
 * A cache of the rows of the counters: read on demand, changed in memory, and written once a batch.
 *
 * Invariant: a number in memory is used only if no other process has committed since it was read,
 * which `PRAGMA data_version` shows. Keys and accounts are valid until `config_version` changes. So
 * a single process reads nothing again, and each of several reads a row once a batch.
 */
export class CounterRows {
  #db: DatabaseSync | null = null
  #sql!: Statements
  #epoch = 0
  #dataVersion = -1
  #configVersion = -1
  readonly #keys = new Map<string, KeyRow>()
  readonly #accounts = new Map<string, AccountRow>()
  readonly #addresses = new Map<string, AddressRow>()
  readonly #touched = new Set<KeyRow | AccountRow | AddressRow>()
  #sweepAtMinute = 0

  /** Begins a batch: drops what has become stale. */
  refresh(db: DatabaseSync): void {
    if (db !== this.#db) {
      this.forget()
      this.#sql = statementsOf(db)
      this.#db = db
    }
    if (this.#keys.size > maxRemembered || this.#accounts.size > maxRemembered) this.#forgetKeys()
    if (this.#addresses.size > maxRemembered) this.#addresses.clear()
    const { data_version: dataVersion } = this.#sql('dataVersion').get() as { data_version: number }
    if (dataVersion === this.#dataVersion) return
    this.#dataVersion = dataVersion
    this.#epoch++
    const { value: configVersion } = this.#sql('configVersion').get() as { value: number }
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
    const key = this.#keys.get(digest) ?? this.#findKey(digest)
    if (!key || key.epoch === this.#epoch) return key
    const stored = this.#sql('keyCounts').get(key.keyId) as Record<string, number> | undefined
    const { minute = 0, count = 0, startMs = 0, requests = 0, rowId = null } = stored ?? {}
    return Object.assign(key, {
      window: { minute, count },
      spent: { startMs, requests },
      rowId,
      epoch: this.#epoch,
    })
  }

  #findKey(digest: string): KeyRow | undefined {
    const id = readText(this.#db!, textNames.digest(digest))
    const account = id === null ? undefined : this.#account(id)
    const key = account?.record.keys.find((each) => each.digest === digest)
    if (!account || !key) return undefined
    const { keyId, enabled: isEnabled, expiresAtMs } = key
    const unread = { epoch: -1, window: noWindow, spent: { startMs: 0, requests: 0 }, rowId: null }
    const row: KeyRow = { kind: 'key', keyId, isEnabled, expiresAtMs, account, ...unread }
    this.#keys.set(digest, row)
    return row
  }

  keyIdOf(digest: string): string | undefined {
    return this.#keys.get(digest)?.keyId
  }

  /**
   * Makes the numbers of an account current: those of the period in force. Does not write to the
   * file unless the account was counted in another one in this batch.
   */
  turnToPeriod(account: AccountRow, nowMs: number): void {
    if (account.epoch !== this.#epoch) this.#readPeriod(account)
    const { createdAtMs } = account.record
    const period = periodInForce(createdAtMs, account.latestMs, nowMs, account.period)
    if (period === account.period) return
    if (this.#touched.delete(account)) this.#writePeriod(account)
    account.period = period
    this.#readPeriod(account)
  }

  /** Counts a unit of a key in the period in force. */
  countUnit(key: KeyRow, plan: Plan): void {
    const { account } = key
    account.requests++
    account.spending = planTexts.getOrInsertComputed(plan, formatPlan)
    this.touch(account)
    const { startMs } = account.period
    if (key.spent.startMs !== startMs) {
      if (key.spent.requests > 0)
        this.#sql('addKeyPeriod').run(key.keyId, key.spent.startMs, key.spent.requests)
      key.spent = { startMs, requests: 0 }
    }
    key.spent.requests++
  }

  address(address: string): AddressRow {
    const known = this.#addresses.get(address)
    if (known?.epoch === this.#epoch) return known
    const window = (this.#sql('addressWindow').get(address) ?? noWindow) as WindowCount
    const row: AddressRow = { kind: 'address', address, window, epoch: this.#epoch }
    this.#addresses.set(address, row)
    return row
  }

  /** Rare, so all numbers are written first, and read again when they are needed. */
  giveBack({ account, keyId = '', periodStartMs }: Receipt): void {
    this.write()
    const id = readText(this.#db!, textNames.name(account))
    if (id === null) return
    this.#sql('giveBack').run(id, periodStartMs)
    const { changes } = this.#sql('giveBackOfKey').run(keyId, periodStartMs)
    if (changes === 0) this.#sql('giveBackOfKeyPeriod').run(keyId, periodStartMs)
    this.#epoch++
  }

  touch(row: KeyRow | AccountRow | AddressRow): void {
    this.#touched.add(row)
  }

  /** Ends a batch: writes the rows that were changed. */
  write(): void {
    for (const row of this.#touched) {
      if (row.kind === 'account') this.#writePeriod(row)
      else if (row.kind === 'key') this.#writeKeyCounts(row)
      else this.#sql('putAddressWindow').run(row.address, row.window.minute, row.window.count)
    }
    this.#touched.clear()
  }

  /** Deletes old windows of addresses, once an hour. */
  sweepAddresses(minute: number): void {
    // The last sweep may have been at a wrong time in the future: that must not stop sweeping.
    if (minute < this.#sweepAtMinute && this.#sweepAtMinute - minute <= sweepAfterMinutes) return
    this.#sql('sweep').run(minute - sweepAfterMinutes)
    this.#sweepAtMinute = minute + sweepAfterMinutes
  }

  /** Forgets both: keys refer to their account, which must have only one row. */
  #forgetKeys(): void {
    this.#keys.clear()
    this.#accounts.clear()
  }

  #account(id: string): AccountRow | undefined {
    const known = this.#accounts.get(id)
    if (known) return known
    const text = readText(this.#db!, textNames.account(id))
    if (text === null) return undefined
    const record = parseAccount(text)
    const period = periodInForce(record.createdAtMs, null, 0)
    const unread = { epoch: -1, rowId: null, requests: 0, latestMs: null }
    const row: AccountRow = { kind: 'account', id, record, period, noted: null, spending: null, ...unread }
    this.#accounts.set(id, row)
    return row
  }

  #readPeriod(account: AccountRow): void {
    const { id, period } = account
    Object.assign(account, this.#sql('period').get(id, id, period.startMs))
    account.epoch = this.#epoch
  }

  /** An existing row is updated by its id, which takes three quarters of the time of an upsert. */
  #writePeriod(account: AccountRow): void {
    const { id, period, rowId, requests, spending, noted, latestMs } = account
    if (rowId === null)
      account.rowId = this.#sql('addPeriod').run(id, period.startMs, requests, spending).lastInsertRowid
    else {
      this.#sql('updatePeriod').run(requests, rowId)
      if (noted !== spending) this.#sql('updatePlan').run(spending, rowId)
    }
    account.noted = spending
    if (latestMs === period.startMs) return
    this.#sql('putLatest').run(id, period.startMs)
    account.latestMs = period.startMs
  }

  #writeKeyCounts(key: KeyRow): void {
    const { keyId, window, spent, rowId } = key
    const numbers = [window.minute, window.count, spent.startMs, spent.requests]
    if (rowId !== null) this.#sql('updateKeyCounts').run(...numbers, rowId)
    else key.rowId = this.#sql('addKeyCounts').run(keyId, ...numbers).lastInsertRowid
  }
}

/** The text that is noted of each plan. */
const planTexts = new WeakMap<Plan, string>()
