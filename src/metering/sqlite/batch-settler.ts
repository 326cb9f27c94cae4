import type { DatabaseSync } from 'node:sqlite'
import { decide, quotaState, windowState } from '../decide.ts'
import {
  StoreUnavailable,
  type AddressSubject,
  type Decision,
  type QuotaState,
  type Receipt,
  type Subject,
} from '../store.ts'
import type { PlanTable } from '../plan-table.ts'
import { minuteOf, windowInForce } from '../window.ts'
import type { AccountRow, CounterRows } from './counter-rows.ts'

/** A call of the counters. */
export type Ask =
  | { verb: 'consume'; subject: Subject; units: 0 | 1 }
  | { verb: 'peek'; subject: Subject }
  | { verb: 'giveBack'; receipt: Receipt }

/** The answer to a call, or why this call alone fails. */
export type Settled = Decision | StoreUnavailable | undefined

type Look = Exclude<Ask, { verb: 'giveBack' }>

/**
 * Decides a batch of calls, one after another, on the numbers in memory, then writes every changed
 * row once.
 */
export class BatchSettler {
  readonly #rows: CounterRows
  readonly #plans: PlanTable

  constructor(rows: CounterRows, plans: PlanTable) {
    this.#rows = rows
    this.#plans = plans
  }

  /**
   * Answers the calls, in order, and writes what they changed. Runs inside a transaction; if that
   * fails, the rows must be forgotten.
   */
  settle(db: DatabaseSync, asks: readonly Ask[], nowMs: number): Settled[] {
    this.#rows.refresh(db)
    const settled = asks.map((ask) => this.#settleOne(ask, nowMs))
    this.#rows.write()
    return settled
  }

  #settleOne(ask: Ask, nowMs: number): Settled {
    try {
      if (ask.verb === 'giveBack') return void this.#rows.giveBack(ask.receipt)
      return ask.subject.kind === 'key'
        ? this.#settleKey(ask, ask.subject.digest, nowMs)
        : this.#settleAddress(ask, ask.subject, nowMs)
    } catch (error) {
      // An account on an unknown plan fails its own requests and no other's.
      if (error instanceof StoreUnavailable) return error
      throw error
    }
  }

  #settleKey(ask: Look, digest: string, nowMs: number): Decision {
    const key = this.#rows.key(digest)
    if (!key || !key.enabled || (key.expiresAtMs !== null && key.expiresAtMs <= nowMs))
      return { outcome: 'unknown_key' }
    const quota = this.#quotaOf(key.account, nowMs)
    const { perMinute } = quota
    const window = windowInForce(key.window, minuteOf(nowMs))
    if (ask.verb === 'peek')
      return { outcome: 'admitted', window: windowState(perMinute, window), quota, receipt: null }
    key.window = { minute: window.minute, count: window.count + 1 }
    this.#rows.touch(key)
    const decision = decide({ nowMs, perMinute, window: key.window, quota, units: ask.units })
    if (decision.outcome === 'admitted' && decision.receipt) this.#rows.countUnit(key.account)
    return decision
  }

  #settleAddress(ask: Look, subject: AddressSubject, nowMs: number): Decision {
    const { perMinute } = subject
    const row = this.#rows.address(subject.address)
    const window = windowInForce(row.window, minuteOf(nowMs))
    if (ask.verb === 'peek')
      return { outcome: 'admitted', window: windowState(perMinute, window), quota: null, receipt: null }
    row.window = { minute: window.minute, count: window.count + 1 }
    this.#rows.touch(row)
    this.#rows.sweepAddresses(minuteOf(nowMs))
    return decide({ nowMs, perMinute, window: row.window, quota: null, units: 0 })
  }

  #quotaOf(account: AccountRow, nowMs: number): QuotaState {
    const plan = this.#plans.of(account)
    const { period, requests } = this.#rows.period(account, nowMs)
    return quotaState(account, plan, period, requests)
  }
}
