import type { DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { formatPlan, parseAccount, textNames, type StoredAccount } from '../account-record.ts'
import { periodInForce, type Period } from '../period.ts'
import type { Receipt } from '../store.ts'
import { aheadMinutes, type WindowCount } from '../window.ts'
import { readText } from './records.ts'

/**
 * How many rows of each kind a process caches. Above that it forgets all of them, between two
 * batches.
 */
const maxRemembered = 10_000

/** A window is deleted when no clock that steps back can need it any more. */
const sweepAfterMinutes = aheadMinutes

interface Row {
  /** A key or an account by its id, or a client address. */
  subject: string
  /** When the numbers were read. They are current if this is the epoch of `CounterRows`. */
  epoch: number
}

/** The last window of a key or an address. */
interface WindowRow extends Row, WindowCount {
  kind: 'window'
}

/** What was counted of an account or a key. */
interface TotalRow extends Row {
  kind: 'total'
  /** See `Counts`. */
  latestMs: number | null
  /** The period that the next three are of. */
  startMs: number
  requests: number
  /** The plan noted in it, as a text. */
  plan: string | null
  /** Its row; null if it has none. */
  id: number | bigint | null
  /** Whether `latestMs` and the plan have changed since they were read. */
  isLatestChanged: boolean
  isPlanChanged: boolean
}

/** An account as it was read, and its period last seen in force. */
interface CachedAccount {
  id: string
  record: StoredAccount
  period: Period | undefined
}

/** A key as it was read. */
interface CachedKey {
  keyId: string
  isEnabled: boolean
  expiresAtMs: number | null
  account: CachedAccount
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
  #sql!: ReturnType<typeof prepareStatements>
  #epoch = 0
  #dataVersion = -1
  #configVersion = -1
  readonly #keys = new Map<string, CachedKey>()
  readonly #accounts = new Map<string, CachedAccount>()
  readonly #windows = new Map<string, WindowRow>()
  readonly #totals = new Map<string, TotalRow>()
  readonly #touched = new Set<WindowRow | TotalRow>()
  #sweepAtMinute = 0

  /** Begins a batch: drops what has become stale. */
  refresh(db: DatabaseSync): void {
    if (db !== this.#db) {
      this.forget()
      this.#sql = prepareStatements(db)
      this.#db = db
    }
    for (const rows of [this.#keys, this.#accounts, this.#windows, this.#totals])
      if (rows.size > maxRemembered) rows.clear()
    const { data_version: dataVersion } = this.#sql.dataVersion.get() as { data_version: number }
    if (dataVersion === this.#dataVersion) return
    this.#dataVersion = dataVersion
    this.#epoch++
    const { value: configVersion } = this.#sql.configVersion.get() as { value: number }
    if (configVersion === this.#configVersion) return
    this.#configVersion = configVersion
    this.#keys.clear()
    this.#accounts.clear()
  }

  forget(): void {
    this.#dataVersion = -1
    for (const rows of [this.#keys, this.#accounts, this.#windows, this.#totals, this.#touched]) rows.clear()
  }

  /** A key; undefined if there is no such key. */
  key(digest: string): CachedKey | undefined {
    const known = this.#keys.get(digest)
    if (known) return known
    const id = readText(this.#db!, textNames.digest(digest))
    const account = id === null ? undefined : this.#account(id)
    const key = account?.record.keys.find((each) => each.digest === digest)
    if (!account || !key) return undefined
    const { keyId, enabled: isEnabled, expiresAtMs } = key
    const cached = { keyId, isEnabled, expiresAtMs, account }
    this.#keys.set(digest, cached)
    return cached
  }

  keyIdOf(digest: string): string | undefined {
    return this.#keys.get(digest)?.keyId
  }

  /** The account's period in force, and what was counted in it. */
  period(account: CachedAccount, nowMs: number): { period: Period; total: TotalRow } {
    const { id, record } = account
    let total = this.#total(id, account.period?.startMs ?? record.createdAtMs)
    const period = periodInForce(record.createdAtMs, total.latestMs, nowMs, account.period)
    account.period = period
    if (period.startMs !== total.startMs) total = this.#total(id, period.startMs)
    return { period, total }
  }

  /** Counts a unit of an account, and of its key. */
  countUnit(total: TotalRow, keyId: string, plan: Plan): void {
    total.requests++
    if (total.latestMs !== total.startMs) {
      total.latestMs = total.startMs
      total.isLatestChanged = true
    }
    const noted = planTexts.getOrInsertComputed(plan, formatPlan)
    if (total.plan !== noted) {
      total.plan = noted
      total.isPlanChanged = true
    }
    this.#touched.add(total)
    const own = this.#total(keyId, total.startMs)
    own.requests++
    this.#touched.add(own)
  }

  /** Notes the day on which a key was used, in milliseconds. */
  useKey(keyId: string, dayStartMs: number, periodStartMs: number): void {
    const own = this.#total(keyId, this.#totals.get(keyId)?.startMs ?? periodStartMs)
    if (own.latestMs === dayStartMs) return
    own.latestMs = dayStartMs
    own.isLatestChanged = true
    this.#touched.add(own)
  }

  /** The last window of a key or an address, current. */
  window(subject: string): WindowRow {
    const known = this.#windows.get(subject)
    if (known?.epoch === this.#epoch) return known
    const { minute = 0, count = 0 } = (this.#sql.window.get(subject) ?? {}) as Partial<WindowCount>
    const row: WindowRow = { kind: 'window', subject, epoch: this.#epoch, minute, count }
    this.#windows.set(subject, row)
    return row
  }

  /** Spends a place in a window, which is the one in force. */
  spendPlace(row: WindowRow, { minute, count }: WindowCount): void {
    row.minute = minute
    row.count = count + 1
    this.#touched.add(row)
  }

  /** Rare, so what was cached is written first and read again. */
  giveBack({ account, keyId, periodStartMs }: Receipt): void {
    this.write()
    const id = readText(this.#db!, textNames.name(account))
    for (const subject of [id, id && keyId]) if (subject) this.#sql.giveBack.run(subject, periodStartMs)
    this.#totals.clear()
  }

  /** Ends a batch: writes the rows that were changed. */
  write(): void {
    for (const row of this.#touched)
      if (row.kind === 'window') this.#sql.putWindow.run(row.subject, row.minute, row.count)
      else this.#writeTotal(row)
    this.#touched.clear()
  }

  /** Deletes old windows, once an hour. */
  sweepWindows(minute: number): void {
    // The last sweep may have been at a wrong time in the future: that must not stop sweeping.
    if (minute < this.#sweepAtMinute && this.#sweepAtMinute - minute <= sweepAfterMinutes) return
    this.#sql.sweep.run(minute - sweepAfterMinutes)
    this.#sweepAtMinute = minute + sweepAfterMinutes
  }

  #account(id: string): CachedAccount | undefined {
    const known = this.#accounts.get(id)
    if (known) return known
    const text = readText(this.#db!, textNames.account(id))
    if (text === null) return undefined
    const account = { id, record: parseAccount(text), period: undefined }
    this.#accounts.set(id, account)
    return account
  }

  /** What was counted of an account or a key in a period, current. */
  #total(subject: string, startMs: number): TotalRow {
    const known = this.#totals.get(subject)
    if (known?.epoch === this.#epoch && known.startMs === startMs) return known
    // Not written yet: counted in this batch, in another period.
    if (known && this.#touched.delete(known)) this.#writeTotal(known)
    const stored = this.#sql.total.get(startMs, subject) as Pick<
      TotalRow,
      'latestMs' | 'requests' | 'plan' | 'id'
    >
    const fresh = { ...stored, startMs, isLatestChanged: false, isPlanChanged: false }
    const row: TotalRow = { kind: 'total', subject, epoch: this.#epoch, ...fresh }
    this.#totals.set(subject, row)
    return row
  }

  /** An existing row is updated by its id, which takes three quarters of the time of an upsert. */
  #writeTotal(row: TotalRow): void {
    const { subject, startMs, requests, plan, latestMs } = row
    if (row.id !== null) this.#sql.updatePeriod.run(requests, row.id)
    else if (requests > 0) row.id = this.#sql.addPeriod.run(subject, startMs, requests, plan).lastInsertRowid
    if (row.isPlanChanged) this.#sql.notePlan.run(plan, row.id)
    if (row.isLatestChanged) this.#sql.putLatest.run(subject, latestMs)
    row.isPlanChanged = false
    row.isLatestChanged = false
  }
}

/** The text that is noted of each plan. */
const planTexts = new WeakMap<Plan, string>()

function prepareStatements(db: DatabaseSync) {
  return {
    dataVersion: db.prepare('PRAGMA data_version'),
    configVersion: db.prepare(`SELECT value FROM meta WHERE name = 'config_version'`),
    window: db.prepare('SELECT minute, count FROM windows WHERE subject = ?'),
    putWindow: db.prepare('INSERT OR REPLACE INTO windows VALUES (?, ?, ?)'),
    sweep: db.prepare('DELETE FROM windows WHERE minute < ?'),
    total: db.prepare(
      `SELECT l.start_ms AS latestMs, coalesce(requests, 0) AS requests, plan, p.id
      FROM (SELECT ? AS start_ms, ? AS subject) asked
      LEFT JOIN periods p USING (subject, start_ms) LEFT JOIN latest l ON l.subject = asked.subject`,
    ),
    addPeriod: db.prepare('INSERT INTO periods (subject, start_ms, requests, plan) VALUES (?, ?, ?, ?)'),
    updatePeriod: db.prepare('UPDATE periods SET requests = ? WHERE id = ?'),
    notePlan: db.prepare('UPDATE periods SET plan = ? WHERE id = ?'),
    putLatest: db.prepare('INSERT OR REPLACE INTO latest VALUES (?, ?)'),
    giveBack: db.prepare(
      'UPDATE periods SET requests = requests - 1 WHERE subject = ? AND start_ms = ? AND requests > 0',
    ),
  }
}
