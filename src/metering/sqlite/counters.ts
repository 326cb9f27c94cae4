import { ClockWatch } from '../clock-steps.ts'
import { decide, quotaState, seen } from '../decide.ts'
import type { StoreOptions } from '../meter-store.ts'
import {
  StoreUnavailable,
  type AddressSubject,
  type Counters,
  type Decision,
  type Receipt,
  type Subject,
} from '../store.ts'
import type { PlanTable } from '../plan-table.ts'
import { minuteOf, windowInForce } from '../window.ts'
import type { SqliteConnection } from './connection.ts'
import { CounterRows } from './counter-rows.ts'
import { asUnavailable, isBusy } from './file.ts'

type Ask =
  | { verb: 'consume'; subject: Subject; units: 0 | 1 }
  | { verb: 'peek'; subject: Subject }
  | { verb: 'giveBack'; receipt: Receipt }

/** The answer to a call, or why this call alone fails. */
type Settled = Decision | StoreUnavailable | undefined

type Look = Exclude<Ask, { verb: 'giveBack' }>

interface Waiting {
  ask: Ask
  resolve(settled: Settled): void
  reject(error: unknown): void
}

/**
 * The counters in the SQLite file, with group commit: all calls of one turn of the event loop are
 * settled in one transaction, and answered when it has committed.
 *
 * Nothing that was answered is lost with the process, and nothing is admitted over a limit, because
 * every process takes the write lock first. While another process has the lock, the batch waits
 * without blocking the event loop, and grows.
 */
export class SqliteCounters implements Counters {
  readonly #connection: SqliteConnection
  readonly #rows = new CounterRows()
  readonly #plans: PlanTable
  readonly #clock: StoreOptions['clock']
  readonly #watch: ClockWatch
  /** What was asked and is not settled yet. */
  #asked: Waiting[] = []
  /** Since when it waits for the lock of another process. */
  #heldSinceMs: number | null = null
  #retry: NodeJS.Timeout | undefined

  constructor(connection: SqliteConnection, plans: PlanTable, { clock, log }: StoreOptions) {
    this.#connection = connection
    this.#plans = plans
    this.#clock = clock
    this.#watch = new ClockWatch(log)
  }

  consume(subject: Subject, units: 0 | 1): Promise<Decision> {
    return this.#ask({ verb: 'consume', subject, units }) as Promise<Decision>
  }

  peek(subject: Subject): Promise<Decision> {
    return this.#ask({ verb: 'peek', subject }) as Promise<Decision>
  }

  giveBack(receipt: Receipt): Promise<void> {
    return this.#ask({ verb: 'giveBack', receipt }) as Promise<undefined>
  }

  keyIdOf(digest: string): string | undefined {
    return this.#rows.keyIdOf(digest)
  }

  /** Forgets accounts and keys, which were changed through this connection. */
  forget(): void {
    this.#rows.forget()
  }

  /** Settles the calls that were made. Refuses those that would have to wait for the lock. */
  close(): void {
    this.#settle()
    clearTimeout(this.#retry)
    for (const { reject } of this.#asked.splice(0))
      reject(new StoreUnavailable('cannot count the requests: the store is closed'))
  }

  /**
   * A poll of the event loop reads all sockets that have data, then `setImmediate` runs: the busier
   * the service, the larger the batch, and the less a request pays for the commit that it shares.
   */
  #ask(ask: Ask): Promise<Settled> {
    return new Promise((resolve, reject) => {
      if (this.#asked.push({ ask, resolve, reject }) === 1) setImmediate(() => this.#settle())
    })
  }

  /** Settles what was asked. While another process has the lock, all of it waits, and grows. */
  #settle(): void {
    const waiting = this.#asked
    if (waiting.length === 0) return
    this.#asked = []
    try {
      const settled = this.#commit(waiting.map(({ ask }) => ask))
      this.#heldSinceMs = null
      this.#answer(waiting, settled)
    } catch (error) {
      this.#rows.forget()
      if (isBusy(error) && this.#isPatient()) {
        this.#asked = waiting
        this.#heldSinceMs ??= performance.now()
        this.#retry = setTimeout(() => this.#settle(), 1)
        return
      }
      this.#heldSinceMs = null
      const fault = asUnavailable(error, 'count the requests')
      this.#answer(waiting, Array(waiting.length).fill(fault))
    }
  }

  #answer(waiting: readonly Waiting[], settled: readonly unknown[]): void {
    for (const [i, { resolve, reject }] of waiting.entries()) {
      const result = settled[i]
      if (result instanceof Error) reject(result)
      else resolve(result as Settled)
    }
  }

  /** Decides the calls one after another on numbers in memory, then writes each changed row. */
  #commit(asks: readonly Ask[]): Settled[] {
    const begin = asks.some(({ verb }) => verb !== 'peek') ? 'BEGIN IMMEDIATE' : 'BEGIN'
    const nowMs = this.#clock.now()
    this.#watch.see(nowMs)
    return this.#connection.transact(begin, (db) => {
      this.#rows.refresh(db)
      const settled = asks.map((ask) => this.#settleOne(ask, nowMs))
      this.#rows.write()
      return settled
    })
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
    if (!key?.isEnabled || (key.expiresAtMs !== null && key.expiresAtMs <= nowMs))
      return { outcome: 'unknown_key' }
    const { keyId, account } = key
    const plan = this.#plans.of(account.record)
    const { perMinute } = plan
    this.#rows.turnToPeriod(account, nowMs)
    const quota = quotaState(account.record, plan, account.period, account.requests)
    const window = windowInForce(key.window, minuteOf(nowMs))
    if (ask.verb === 'peek') return seen(perMinute, window, quota)
    key.window = { minute: window.minute, count: window.count + 1 }
    this.#rows.touch(key)
    const decision = decide({ nowMs, perMinute, window: key.window, quota, keyId, units: ask.units })
    if (decision.outcome === 'admitted' && decision.receipt) this.#rows.countUnit(key, plan)
    return decision
  }

  #settleAddress(ask: Look, { address, perMinute }: AddressSubject, nowMs: number): Decision {
    const row = this.#rows.address(address)
    const window = windowInForce(row.window, minuteOf(nowMs))
    if (ask.verb === 'peek') return seen(perMinute, window, null)
    row.window = { minute: window.minute, count: window.count + 1 }
    this.#rows.touch(row)
    this.#rows.sweepAddresses(minuteOf(nowMs))
    return decide({ nowMs, perMinute, window: row.window, quota: null, units: 0 })
  }

  /** The batch of another process takes some tenths of a millisecond; the event loop continues. */
  #isPatient(): boolean {
    return this.#heldSinceMs === null || performance.now() - this.#heldSinceMs < this.#connection.patienceMs
  }
}
