import type { DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { formatPlan, parseAccount, textNames, type AccountRecord, type StoredKey } from '../account-record.ts'
import { periodHolding, periodInForce, type Period } from '../period.ts'
import type { Receipt } from '../store.ts'
import { aheadMinutes, minuteOf, windowInForce, type WindowCount } from '../window.ts'
import { readText } from './records.ts'
import { statementsOf, type Statements } from './statements.ts'

/**
 * The maximum number of keys or addresses to cache. Above it, all are forgotten, between batches.
 */
const maxRemembered = 10_000

/** A key with its account, as they were read. */
interface KnownKey {
  key: StoredKey
  account: AccountRecord
  /** The account's period that was last in force. */
  period: Period
}

/** The counts of an account in a period. */
interface PeriodRow {
  accountId: string
  period: Period
  requests: number
  /** Null if the period has no row yet. */
  rowId: number | bigint | null
  /** The start of the period with the last count; null if there is none. */
  latestMs: number | null
  /** The plan that is stored in it, as JSON. */
  plan: string | null
}

/** The window of a key, and its units in the last period in which it used any. */
interface KeyRow extends WindowCount {
  keyId: string
  startMs: number
  requests: number
  /** Null if the key has no row yet. */
  rowId: number | bigint | null
}

interface AddressRow extends WindowCount {
  address: string
}

/**
 * A cache of the rows of the counters: read on demand, changed in memory, and written once per
 * batch.
 *
 * Invariant: a number in memory is used only if no other process has committed since it was read,
 * which `PRAGMA data_version` shows. Keys and accounts are valid until `config_version` changes. So
 * a single process never reads a row again, and each of several reads a row once per batch.
 */
export class CounterRows {
  #db: DatabaseSync | null = null
  #sql!: Statements
  /** The versions of the rows, the keys and the accounts; null if none were read. */
  #dataVersion: number | null = null
  #configVersion: number | null = null
  /** Keyed by the digest of the key. */
  readonly #known = new Map<string, KnownKey>()
  /** Keyed by the id of the account. */
  readonly #periods = new Map<string, PeriodRow>()
  readonly #keys = new Map<string, KeyRow>()
  readonly #addresses = new Map<string, AddressRow>()
  readonly #touched = new Set<PeriodRow | KeyRow | AddressRow>()
  #sweptMinute = 0

  /** Starts a batch: drops stale rows. */
  refresh(db: DatabaseSync): void {
    if (db !== this.#db || this.#known.size > maxRemembered || this.#addresses.size > maxRemembered)
      this.forget()
    this.#db = db
    this.#sql = statementsOf(db)
    const { data_version: dataVersion } = this.#sql('dataVersion').get() as { data_version: number }
    if (dataVersion === this.#dataVersion) return
    this.#dataVersion = dataVersion
    this.#forgetNumbers()
    const { value: configVersion } = this.#sql('configVersion').get() as { value: number }
    if (configVersion !== this.#configVersion) this.#known.clear()
    this.#configVersion = configVersion
  }

  forget(): void {
    this.#dataVersion = null
    this.#touched.clear()
    this.#known.clear()
  }

  #forgetNumbers(): void {
    for (const rows of [this.#periods, this.#keys, this.#addresses]) rows.clear()
  }

  /** Returns a key and its account; undefined if there is no such key. */
  known(digest: string): KnownKey | undefined {
    const cachedId = this.#known.get(digest)
    if (cachedId) return cachedId
    const id = readText(this.#db!, textNames.digest(digest))
    const text = id === null ? null : readText(this.#db!, textNames.account(id))
    const account = text === null ? undefined : parseAccount(text)
    const key = account?.keys.find((each) => each.digest === digest)
    if (!account || !key) return undefined
    const known = { key, account, period: periodHolding(account.createdAtMs, account.createdAtMs) }
    this.#known.set(digest, known)
    return known
  }

  keyIdOf(digest: string): string | undefined {
    return this.#known.get(digest)?.key.keyId
  }

  /** Returns the row of the period in force, which is the same for a whole batch. */
  period(known: KnownKey, nowMs: number): PeriodRow {
    const { id, createdAtMs } = known.account
    const row = this.#periods.get(id) ?? this.#readPeriod(id, known.period)
    known.period = periodInForce(createdAtMs, row.latestMs, nowMs, row.period)
    return known.period === row.period ? row : this.#readPeriod(id, known.period)
  }

  #readPeriod(accountId: string, period: Period): PeriodRow {
    const storedRow = this.#sql('period').get(accountId, accountId, period.startMs)
    const row = { accountId, period, ...storedRow } as unknown as PeriodRow
    this.#periods.set(accountId, row)
    return row
  }

  key(keyId: string): KeyRow {
    const known = this.#keys.get(keyId)
    if (known) return known
    const emptyRow = { minute: 0, count: 0, startMs: 0, requests: 0, rowId: null }
    const row = { keyId, ...emptyRow, ...this.#sql('keyCounts').get(keyId) }
    this.#keys.set(keyId, row)
    return row
  }

  address(address: string): AddressRow {
    const known = this.#addresses.get(address)
    if (known) return known
    const row = { address, minute: 0, count: 0, ...this.#sql('addressWindow').get(address) }
    this.#addresses.set(address, row)
    return row
  }

  /** Returns the window in force, with another place counted if the request uses one. */
  window(row: KeyRow | AddressRow, nowMs: number, isSpending: boolean): WindowCount {
    const { minute, count } = windowInForce(row, minuteOf(nowMs))
    if (!isSpending) return { minute, count }
    this.#touched.add(row)
    return Object.assign(row, { minute, count: count + 1 })
  }

  /** Counts a unit of a key in the period in force. */
  countUnit(key: KeyRow, row: PeriodRow, plan: Plan): void {
    row.requests++
    row.plan = planTexts.getOrInsertComputed(plan, formatPlan)
    this.#touched.add(row)
    const { startMs } = row.period
    if (key.startMs !== startMs) {
      if (key.requests > 0) this.#sql('addKeyPeriod').run(key.keyId, key.startMs, key.requests)
      Object.assign(key, { startMs, requests: 0 })
    }
    key.requests++
  }

  /** This is rare, so all numbers are written first, and read again when they are needed. */
  giveBack({ accountId, keyId = '', periodStartMs }: Receipt): void {
    this.write()
    this.#sql('giveBack').run(accountId, periodStartMs)
    const { changes } = this.#sql('giveBackOfKey').run(keyId, periodStartMs)
    if (changes === 0) this.#sql('giveBackOfKeyPeriod').run(keyId, periodStartMs)
    this.#forgetNumbers()
  }

  /** Ends a batch: writes the rows that were changed. */
  write(): void {
    for (const row of this.#touched) {
      if ('accountId' in row) this.#writePeriod(row)
      else if ('keyId' in row) this.#writeKey(row)
      else this.#sql('putAddressWindow').run(row.address, row.minute, row.count)
    }
    this.#touched.clear()
  }

  /**
   * Deletes, once an hour, the windows of addresses that are too old for any clock that steps back.
   */
  sweepAddresses(minute: number): void {
    // The last sweep may have been at a wrong time in the future, which must not stop sweeping.
    if (Math.abs(minute - this.#sweptMinute) < aheadMinutes) return
    this.#sql('sweep').run(minute - aheadMinutes)
    this.#sweptMinute = minute
  }

  /** An existing row is updated by its id, which takes three quarters of the time of an upsert. */
  #writePeriod(row: PeriodRow): void {
    const { accountId, rowId, requests, plan } = row
    const { startMs } = row.period
    if (rowId !== null) this.#sql('updatePeriod').run(requests, plan, rowId)
    else row.rowId = this.#sql('addPeriod').run(accountId, startMs, requests, plan).lastInsertRowid
    if (row.latestMs !== startMs) this.#sql('putLatest').run(accountId, startMs)
    row.latestMs = startMs
  }

  #writeKey(row: KeyRow): void {
    const { keyId, minute, count, startMs, requests, rowId } = row
    const numbers = [minute, count, startMs, requests]
    if (rowId !== null) this.#sql('updateKeyCounts').run(...numbers, rowId)
    else row.rowId = this.#sql('addKeyCounts').run(keyId, ...numbers).lastInsertRowid
  }
}

/** The stored text of each plan. */
const planTexts = new WeakMap<Plan, string>()
