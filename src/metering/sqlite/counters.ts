import { watchClock } from '../clock-steps.ts'
import { decide, type Units } from '../decide.ts'
import { planOf, type PlanTable } from '../plan-table.ts'
import {
  StoreUnavailable,
  type AddressSubject,
  type Counters,
  type Decision,
  type Receipt,
  type StoreOptions,
  type Subject,
} from '../store.ts'
import { minuteOf } from '../window.ts'
import type { SqliteConnection } from './connection.ts'
import { CounterRows } from './counter-rows.ts'
import { asUnavailable, retryWhileBusy } from './file.ts'

/** A request to be decided, or a unit to be given back. */
type Ask = { subject: Subject; units: Units } | { receipt: Receipt }

/** The result of a call, or the reason why this call alone fails. */
type Settled = Decision | StoreUnavailable | undefined

interface Waiting {
  ask: Ask
  resolve(outcome: Settled): void
  reject(error: unknown): void
}

/**
 * The counters in the SQLite file, with group commit: all calls in one turn of the event loop are
 * settled in one transaction, and answered once it has committed.
 *
 * No answered request is lost with the process, and none is admitted over a limit, because every
 * process takes the write lock first. While another process has the lock, the batch waits without
 * blocking the event loop, and the next one grows.
 */
export class SqliteCounters implements Counters {
  readonly #connection: SqliteConnection
  /** Cleared when accounts or keys are changed through this connection. */
  readonly rows = new CounterRows()
  readonly #plans: PlanTable
  readonly #clock: StoreOptions['clock']
  readonly #watch: (nowMs: number) => void
  /** The next batch. */
  #asked: Waiting[] = []
  #isSettling = false

  constructor(connection: SqliteConnection, plans: PlanTable, { clock, log }: StoreOptions) {
    this.#connection = connection
    this.#plans = plans
    this.#clock = clock
    this.#watch = watchClock(log)
  }

  consume(subject: Subject, units: 0 | 1): Promise<Decision> {
    return this.#ask({ subject, units }) as Promise<Decision>
  }

  peek(subject: Subject): Promise<Decision> {
    return this.#ask({ subject, units: null }) as Promise<Decision>
  }

  giveBack(receipt: Receipt): Promise<void> {
    return this.#ask({ receipt }) as Promise<undefined>
  }

  keyIdOf(digest: string): string | undefined {
    return this.rows.keyIdOf(digest)
  }

  /**
   * Settles the calls that were made. Calls that still wait for the lock are refused once the
   * connection is closed.
   */
  close(): void {
    void this.#settle()
  }

  /**
   * A poll of the event loop reads all sockets that have data, then `setImmediate` runs. So the
   * busier the service is, the larger the batch, and the smaller a request's share of the commit.
   */
  #ask(ask: Ask): Promise<Settled> {
    return new Promise((resolve, reject) => {
      if (this.#asked.push({ ask, resolve, reject }) === 1) setImmediate(() => void this.#settle())
    })
  }

  /** Settles the requests, batch after batch. The first batch is tried in this turn. */
  async #settle(): Promise<void> {
    if (this.#isSettling) return
    this.#isSettling = true
    while (this.#asked.length > 0) {
      const waiting = this.#asked
      this.#asked = []
      try {
        const outcomes = await retryWhileBusy(this.#connection.patienceMs, () => this.#commit(waiting))
        for (const [i, { resolve, reject }] of waiting.entries()) {
          const result = outcomes[i]
          if (result instanceof Error) reject(result)
          else resolve(result)
        }
      } catch (error) {
        const fault = asUnavailable(error, 'count the requests')
        // Requests that arrived in the meantime have waited for the same lock.
        for (const { reject } of [...waiting, ...this.#asked.splice(0)]) reject(fault)
      }
    }
    this.#isSettling = false
  }

  /** Decides the calls one after another on numbers in memory, then writes each changed row. */
  #commit(waiting: readonly Waiting[]): Settled[] {
    const isLooking = waiting.every(({ ask }) => 'units' in ask && ask.units === null)
    const nowMs = this.#clock.now()
    this.#watch(nowMs)
    try {
      return this.#connection.transact(isLooking ? 'BEGIN' : 'BEGIN IMMEDIATE', (db) => {
        this.rows.refresh(db)
        const outcomes = waiting.map(({ ask }) => this.#settleOne(ask, nowMs))
        this.rows.write()
        return outcomes
      })
    } catch (error) {
      // The counts in memory may not be in the file.
      this.rows.forget()
      throw error
    }
  }

  #settleOne(ask: Ask, nowMs: number): Settled {
    try {
      if ('receipt' in ask) return void this.rows.giveBack(ask.receipt)
      const { subject, units } = ask
      return subject.kind === 'key'
        ? this.#settleKey(subject.digest, units, nowMs)
        : this.#settleAddress(subject, units, nowMs)
    } catch (error) {
      // An account on an unknown plan fails its own requests and no others.
      if (error instanceof StoreUnavailable) return error
      throw error
    }
  }

  #settleKey(digest: string, units: Units, nowMs: number): Decision {
    const known = this.rows.known(digest)
    if (!known?.key.enabled || (known.key.expiresAtMs !== null && known.key.expiresAtMs <= nowMs))
      return { outcome: 'unknown_key' }
    const { account } = known
    const { keyId } = known.key
    const plan = planOf(this.#plans, account)
    const { perMinute } = plan
    const row = this.rows.period(known, nowMs)
    const { period, requests } = row
    const quota = { account: account.account, accountId: account.id, plan, period, requests }
    const key = this.rows.key(keyId)
    const window = this.rows.window(key, nowMs, units !== null)
    const decision = decide({ nowMs, perMinute, window, quota, keyId, units })
    if (decision.outcome === 'admitted' && decision.receipt) this.rows.countUnit(key, row, plan)
    return decision
  }

  #settleAddress({ address, perMinute }: AddressSubject, units: Units, nowMs: number): Decision {
    const window = this.rows.window(this.rows.address(address), nowMs, units !== null)
    if (units !== null) this.rows.sweepAddresses(minuteOf(nowMs))
    return decide({ nowMs, perMinute, window, quota: null, units })
  }
}
