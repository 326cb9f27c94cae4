import { ClockWatch } from '../clock-steps.ts'
import {
  StoreUnavailable,
  type Counters,
  type Decision,
  type MeterOptions,
  type OnCalled,
  type Receipt,
  type Subject,
} from '../store.ts'
import type { PlanTable } from '../plan-table.ts'
import { TurnQueue } from '../turn-queue.ts'
import { BatchSettler, type Ask, type Settled } from './batch-settler.ts'
import type { SqliteConnection } from './connection.ts'
import { CounterRows } from './counter-rows.ts'
import { asUnavailable, isBusy } from './file.ts'

/** A call that waits for its answer. */
interface Waiting {
  ask: Ask
  /** When it was made, if calls are measured. */
  startMs: number
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
  onCalled: OnCalled | undefined
  readonly #connection: SqliteConnection
  readonly #rows = new CounterRows()
  readonly #settler: BatchSettler
  readonly #clock: MeterOptions['clock']
  readonly #watch: ClockWatch
  readonly #queue = new TurnQueue<Waiting>((batch) => this.#settle(batch))
  /** The batch that waits for the lock, and since when. */
  #held: Waiting[] = []
  #heldSinceMs: number | null = null
  #retry: NodeJS.Timeout | undefined

  constructor(connection: SqliteConnection, planTable: PlanTable, { clock, log }: MeterOptions) {
    this.#connection = connection
    this.#settler = new BatchSettler(this.#rows, planTable)
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
    this.#queue.flush()
    clearTimeout(this.#retry)
    for (const { reject } of this.#held.splice(0))
      reject(new StoreUnavailable('cannot count the requests: the store is closed'))
  }

  #ask(ask: Ask): Promise<Settled> {
    const startMs = this.onCalled ? performance.now() : 0
    return new Promise((resolve, reject) => this.#queue.add({ ask, startMs, resolve, reject }))
  }

  /** Settles a batch together with the one that waits for the lock. */
  #settle(batch: Waiting[]): void {
    const waiting = this.#held.concat(batch)
    this.#held = []
    if (waiting.length === 0) return
    try {
      const settled = this.#commit(waiting.map(({ ask }) => ask))
      this.#heldSinceMs = null
      this.#answer(waiting, settled)
    } catch (error) {
      this.#rows.forget()
      if (isBusy(error) && this.#isPatient()) return this.#hold(waiting)
      this.#heldSinceMs = null
      const fault = asUnavailable(error, 'count the requests')
      this.#answer(waiting, Array(waiting.length).fill(fault))
    }
  }

  #answer(waiting: readonly Waiting[], settled: readonly unknown[]): void {
    const endMs = this.onCalled ? performance.now() : 0
    for (const [i, { ask, startMs, resolve, reject }] of waiting.entries()) {
      const result = settled[i]
      const isFailed = result instanceof Error
      this.onCalled?.(ask.verb, endMs - startMs, isFailed)
      if (isFailed) reject(result)
      else resolve(result as Settled)
    }
  }

  #commit(asks: readonly Ask[]): Settled[] {
    const begin = asks.some(({ verb }) => verb !== 'peek') ? 'BEGIN IMMEDIATE' : 'BEGIN'
    const nowMs = this.#clock.now()
    this.#watch.see(nowMs)
    return this.#connection.transact(begin, (db) => this.#settler.settle(db, asks, nowMs))
  }

  /** The batch of another process takes some tenths of a millisecond; the event loop continues. */
  #hold(waiting: Waiting[]): void {
    this.#held = waiting
    this.#heldSinceMs ??= performance.now()
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#settle([]), 1)
  }

  #isPatient(): boolean {
    return this.#heldSinceMs === null || performance.now() - this.#heldSinceMs < this.#connection.patienceMs
  }
}
