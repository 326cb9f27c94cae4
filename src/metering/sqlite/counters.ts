import type { DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { decide, quotaState, windowState } from '../decide.ts'
import { periodHolding, type Period } from '../period.ts'
import {
  StoreUnavailable,
  type AccountRecord,
  type Decision,
  type QuotaState,
  type Receipt,
  type Subject,
} from '../store.ts'
import { UnknownPlan } from '../unknown-plan.ts'
import { minuteOf, windowInForce, type WindowCount } from '../window.ts'

/** What is asked of the counters. */
export type Ask =
  | { verb: 'consume'; subject: Subject; units: 0 | 1 }
  | { verb: 'peek'; subject: Subject }
  | { verb: 'giveBack'; receipt: Receipt }

/** An answer, or why there is none for this one alone. */
export type Settled = Decision | StoreUnavailable | undefined

/** How many keys, accounts or addresses a process remembers; past that it starts anew, between two batches. */
const remembered = 10_000

/** The window of an address is swept when it is this old, in minutes: further back than a clock steps. */
const sweepAfterMinutes = 60

const noPeriod: Period = { startMs: 0, endMs: 0 }

/** What is remembered of a row, and for which state of the file it holds. */
interface Remembered {
  /** Equal to the counters' own: as the file has it. */
  epoch: number
  dirty: boolean
}

interface AccountState extends Remembered, AccountRecord {
  id: number
  /** The latest that was counted in; ends at 0 where there is none. */
  period: Period
  /** The row of that period; null where it has none yet. */
  periodId: number | bigint | null
  requests: number
  /** The period that the clock was last seen in, where that is later. */
  clockPeriod: Period
}

interface KeyState extends Remembered {
  id: number
  enabled: boolean
  expiresAtMs: number | null
  account: AccountState
  window: WindowCount
  /** Whether the window has a row. */
  isStored: boolean
}

interface AddressState extends Remembered {
  address: string
  window: WindowCount
}

/**
 * The counters in the file, and what this process remembers of them.
 *
 * All asks of a batch are settled in one transaction of the caller's: each is decided in its turn on numbers in memory, and every row that
 * was touched is written once. What is remembered holds as long as no other process has committed, which `PRAGMA data_version` tells; keys and accounts
 * hold until `config_version` moves. So a lone process reads nothing, and several read each row once a batch.
 *
 * A clock that steps back opens no spent window or period again: both stay at the latest that they had reached.
 */
export class SqliteCounters {
  readonly #plans: ReadonlyMap<string, Plan>
  readonly #sql: ReturnType<typeof prepareStatements>
  #epoch = 0
  #dataVersion = -1
  #configVersion = -1
  readonly #keys = new Map<string, KeyState>()
  readonly #accounts = new Map<number, AccountState>()
  readonly #addresses = new Map<string, AddressState>()
  readonly #touched = new Set<KeyState | AccountState | AddressState>()
  #sweepAtMinute = 0

  constructor(db: DatabaseSync, plans: readonly Plan[]) {
    this.#plans = new Map(plans.map((plan) => [plan.name, plan]))
    this.#sql = prepareStatements(db)
  }

  /** Answers each ask, in order, and writes what they changed. To be called inside a transaction; where it throws, or the transaction fails, call `forget`. */
  settle(asks: readonly Ask[], nowMs: number): Settled[] {
    this.#refresh()
    const settled = asks.map((ask) => this.#settleOne(ask, nowMs))
    for (const state of this.#touched) this.#write(state)
    this.#touched.clear()
    return settled
  }

  /** Trusts nothing that is remembered. */
  forget(): void {
    this.#dataVersion = -1
    this.#touched.clear()
    this.#forgetKeys()
    this.#addresses.clear()
  }

  #refresh(): void {
    if (this.#keys.size > remembered || this.#accounts.size > remembered) this.#forgetKeys()
    if (this.#addresses.size > remembered) this.#addresses.clear()
    const { data_version: dataVersion } = this.#sql.dataVersion.get() as { data_version: number }
    if (dataVersion === this.#dataVersion) return
    this.#dataVersion = dataVersion
    this.#epoch++
    const { value: configVersion } = this.#sql.configVersion.get() as { value: number }
    if (configVersion === this.#configVersion) return
    this.#configVersion = configVersion
    this.#forgetKeys()
  }

  /** Both, for a key holds its account: one account must have one state. */
  #forgetKeys(): void {
    this.#keys.clear()
    this.#accounts.clear()
  }

  #settleOne(ask: Ask, nowMs: number): Settled {
    try {
      if (ask.verb === 'giveBack') return this.#giveBack(ask.receipt)
      return ask.subject.kind === 'key'
        ? this.#settleKey(ask, ask.subject.digest, nowMs)
        : this.#settleAddress(ask, ask.subject, nowMs)
    } catch (error) {
      // An account on a plan that is not known here fails its own requests, and no other's.
      if (error instanceof StoreUnavailable) return error
      throw error
    }
  }

  #settleKey(ask: Exclude<Ask, { verb: 'giveBack' }>, digest: Buffer, nowMs: number): Decision {
    const key = this.#key(digest)
    if (!key || !key.enabled || (key.expiresAtMs !== null && key.expiresAtMs <= nowMs))
      return { outcome: 'unknown_key' }
    const quota = this.#quotaOf(key.account, nowMs)
    const window = windowInForce(key.window, minuteOf(nowMs))
    if (ask.verb === 'peek') {
      return { outcome: 'admitted', window: windowState(quota.perMinute, window), quota, receipt: null }
    }
    key.window = { minute: window.minute, count: window.count + 1 }
    this.#touch(key)
    const decision = decide({
      nowMs,
      perMinute: quota.perMinute,
      window: key.window,
      quota,
      units: ask.units,
    })
    if (decision.outcome === 'admitted' && decision.receipt) this.#countUnit(key.account, quota)
    return decision
  }

  #settleAddress(
    ask: Exclude<Ask, { verb: 'giveBack' }>,
    subject: Extract<Subject, { kind: 'address' }>,
    nowMs: number,
  ): Decision {
    const { perMinute } = subject
    const state = this.#address(subject.address)
    const window = windowInForce(state.window, minuteOf(nowMs))
    if (ask.verb === 'peek')
      return { outcome: 'admitted', window: windowState(perMinute, window), quota: null, receipt: null }
    state.window = { minute: window.minute, count: window.count + 1 }
    this.#touch(state)
    this.#sweep(minuteOf(nowMs))
    return decide({ nowMs, perMinute, window: state.window, quota: null, units: 0 })
  }

  #giveBack({ account, periodStartMs }: Receipt): undefined {
    this.#sql.giveBack.run(account, periodStartMs)
    // Rare: looking through what is remembered is cheaper than remembering by name.
    for (const state of this.#accounts.values())
      if (state.account === account) this.#giveBackInMemory(state, periodStartMs)
  }

  #giveBackInMemory(state: AccountState, periodStartMs: number): void {
    if (state.epoch === this.#epoch && state.period.startMs === periodStartMs)
      state.requests = Math.max(0, state.requests - 1)
  }

  /**
   * The account's period, rolled over; the latest one counted in where the clock has stepped back behind it. What is remembered stays as the file
   * has it until a unit is counted: a look at a clock that then steps back must leave no trace.
   */
  #quotaOf(account: AccountState, nowMs: number): QuotaState {
    const plan = this.#plans.get(account.plan)
    if (!plan) throw new UnknownPlan(account.account, account.plan)
    if (nowMs < account.period.endMs) return quotaState(account, plan, account.period, account.requests)
    const { startMs, endMs } = account.clockPeriod
    if (nowMs < startMs || nowMs >= endMs) account.clockPeriod = periodHolding(account.createdAtMs, nowMs)
    return quotaState(account, plan, account.clockPeriod, 0)
  }

  #countUnit(account: AccountState, { periodStartMs, requests }: QuotaState): void {
    if (account.period.startMs !== periodStartMs) {
      account.period = account.clockPeriod
      account.periodId = null
    }
    account.requests = requests + 1
    this.#touch(account)
  }

  #key(digest: Buffer): KeyState | undefined {
    const name = digest.toString('latin1')
    const known = this.#keys.get(name)
    if (known?.epoch === this.#epoch && known.account.epoch === this.#epoch) return known
    const row = known ?? this.#readKey(digest)
    if (!row) return undefined
    this.#readCounters(row)
    this.#keys.set(name, row)
    return row
  }

  #readKey(digest: Buffer): KeyState | undefined {
    const row = this.#sql.key.get(digest) as
      | {
          id: number
          enabled: number
          expiresAtMs: number | null
          accountId: number
          account: string
          plan: string
          createdAtMs: number
        }
      | undefined
    if (!row) return undefined
    const { accountId, account, plan, createdAtMs } = row
    const state = this.#accounts.get(accountId) ?? {
      id: accountId,
      account,
      plan,
      createdAtMs,
      period: noPeriod,
      periodId: null,
      requests: 0,
      clockPeriod: noPeriod,
      epoch: -1,
      dirty: false,
    }
    this.#accounts.set(accountId, state)
    const window = { minute: 0, count: 0 }
    return {
      id: row.id,
      enabled: row.enabled === 1,
      expiresAtMs: row.expiresAtMs,
      account: state,
      isStored: false,
      window,
      epoch: -1,
      dirty: false,
    }
  }

  #readCounters(key: KeyState): void {
    if (key.epoch !== this.#epoch) {
      const row = this.#sql.keyWindow.get(key.id) as WindowCount | undefined
      key.window = { minute: row?.minute ?? 0, count: row?.count ?? 0 }
      key.isStored = row !== undefined
      key.epoch = this.#epoch
    }
    const { account } = key
    if (account.epoch !== this.#epoch) {
      const row = this.#sql.latestPeriod.get(account.id) as
        { id: number; startMs: number; requests: number } | undefined
      if (row?.startMs !== account.period.startMs)
        account.period = row ? periodHolding(account.createdAtMs, row.startMs) : noPeriod
      account.periodId = row?.id ?? null
      account.requests = row?.requests ?? 0
      account.epoch = this.#epoch
    }
  }

  #address(address: string): AddressState {
    const known = this.#addresses.get(address)
    if (known?.epoch === this.#epoch) return known
    const row = this.#sql.addressWindow.get(address) as WindowCount | undefined
    const window = { minute: row?.minute ?? 0, count: row?.count ?? 0 }
    const state: AddressState = { address, window, epoch: this.#epoch, dirty: false }
    this.#addresses.set(address, state)
    return state
  }

  #touch(state: KeyState | AccountState | AddressState): void {
    if (state.dirty) return
    state.dirty = true
    this.#touched.add(state)
  }

  #write(state: KeyState | AccountState | AddressState): void {
    state.dirty = false
    if ('period' in state) this.#writePeriod(state)
    else if ('account' in state) this.#writeKeyWindow(state)
    else this.#sql.putAddressWindow.run(state.address, state.window.minute, state.window.count)
  }

  /** A row that is there is updated by its number: three quarters of the work of an upsert. */
  #writePeriod(state: AccountState): void {
    if (state.periodId !== null) this.#sql.updatePeriod.run(state.requests, state.periodId)
    else
      state.periodId = this.#sql.addPeriod.run(state.id, state.period.startMs, state.requests).lastInsertRowid
  }

  #writeKeyWindow(state: KeyState): void {
    const { minute, count } = state.window
    if (state.isStored) this.#sql.updateKeyWindow.run(minute, count, state.id)
    else this.#sql.addKeyWindow.run(state.id, minute, count)
    state.isStored = true
  }

  /** Forgets the old windows of addresses, of which there is no end; in passing, once in so many minutes. */
  #sweep(minute: number): void {
    if (minute < this.#sweepAtMinute) return
    this.#sql.sweep.run(minute - sweepAfterMinutes)
    this.#sweepAtMinute = minute + sweepAfterMinutes
  }
}

function prepareStatements(db: DatabaseSync) {
  return {
    dataVersion: db.prepare('PRAGMA data_version'),
    configVersion: db.prepare(`SELECT value FROM meta WHERE name = 'config_version'`),
    key: db.prepare(`
      SELECT k.id, enabled, expires_at_ms AS expiresAtMs, a.id AS accountId, account, plan, a.created_at_ms AS createdAtMs
      FROM keys k JOIN accounts a ON a.id = k.account_id WHERE digest = ?`),
    keyWindow: db.prepare('SELECT minute, count FROM key_windows WHERE key_id = ?'),
    addKeyWindow: db.prepare('INSERT INTO key_windows VALUES (?, ?, ?)'),
    updateKeyWindow: db.prepare('UPDATE key_windows SET minute = ?, count = ? WHERE key_id = ?'),
    addressWindow: db.prepare('SELECT minute, count FROM address_windows WHERE address = ?'),
    putAddressWindow: db.prepare('INSERT OR REPLACE INTO address_windows VALUES (?, ?, ?)'),
    sweep: db.prepare('DELETE FROM address_windows WHERE minute < ?'),
    latestPeriod: db.prepare(
      'SELECT id, start_ms AS startMs, requests FROM periods WHERE account_id = ? ORDER BY start_ms DESC LIMIT 1',
    ),
    addPeriod: db.prepare('INSERT INTO periods (account_id, start_ms, requests) VALUES (?, ?, ?)'),
    updatePeriod: db.prepare('UPDATE periods SET requests = ? WHERE id = ?'),
    giveBack: db.prepare(`
      UPDATE periods SET requests = requests - 1
      WHERE account_id = (SELECT id FROM accounts WHERE account = ?) AND start_ms = ? AND requests > 0`),
  }
}
