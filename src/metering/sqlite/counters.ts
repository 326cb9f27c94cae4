import type { DatabaseSync } from 'node:sqlite'
import { ClockWatch } from '../clock-steps.ts'
import {
  StoreUnavailable,
  type Counters,
  type Decision,
  type MeterOptions,
  type Receipt,
  type Subject,
} from '../store.ts'
import type { PlanTable } from '../plan-table.ts'
import { TurnQueue } from '../turn-queue.ts'
import { BatchSettler, type Ask, type Settled } from './batch-settler.ts'
import type { SqliteConnection } from './connection.ts'
import { asUnavailable, isBusy } from './file.ts'

/** An ask on its way, and who waits for the answer. */
interface Waiting {
  ask: Ask
  resolve(settled: Settled): void
  reject(error: unknown): void
}

/**
 * The counters in the SQLite file, with group commit: all that is asked in one turn of the event
 * loop is settled in one transaction and answered when that has committed.
 *
 * Nothing answered is lost with the process, and nothing is admitted over a limit: the transaction
 * takes the write lock first, in whatever process it is. While another process holds the lock, the
 * batch waits without blocking the loop, and grows.
 */
export class SqliteCounters implements Counters {
  readonly #connection: SqliteConnection
  readonly #settler: BatchSettler
  readonly #clock: MeterOptions['clock']
  readonly #watch: ClockWatch
  readonly #queue = new TurnQueue<Waiting>((batch) => this.#settle(batch))
  /** The batch that waits for the file, and since when. */
  #held: Waiting[] = []
  #heldSinceMs: number | null = null
  #retry: NodeJS.Timeout | undefined

  constructor(connection: SqliteConnection, planTable: PlanTable, { clock, log }: MeterOptions) {
    this.#connection = connection
    this.#settler = new BatchSettler(planTable)
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

  keyIdOf(digest: Buffer): string | undefined {
    return this.#settler.keyIdOf(digest)
  }

  /** Reads accounts and keys again: they were changed through this connection. */
  forget(): void {
    this.#settler.forget()
  }

  /** Settles what has been asked; what still has to wait for the file is refused. */
  close(): void {
    this.#queue.flush()
    clearTimeout(this.#retry)
    for (const { reject } of this.#held.splice(0))
      reject(new StoreUnavailable('cannot count the requests: the store is closed'))
  }

  #ask(ask: Ask): Promise<Settled> {
    return new Promise((resolve, reject) => this.#queue.add({ ask, resolve, reject }))
  }

  /** Settles a batch together with the one that waits for the file. */
  #settle(batch: Waiting[]): void {
    const waiting = this.#held.concat(batch)
    this.#held = []
    if (waiting.length === 0) return
    try {
      const settled = this.#commit(waiting.map(({ ask }) => ask))
      this.#heldSinceMs = null
      for (const [i, each] of waiting.entries()) answer(each, settled[i])
    } catch (error) {
      this.#settler.forget()
      if (isBusy(error) && this.#isPatient()) return this.#hold(waiting)
      this.#heldSinceMs = null
      const fault = asUnavailable(error, 'count the requests')
      for (const { reject } of waiting) reject(fault)
    }
  }

  #commit(asks: readonly Ask[]): Settled[] {
    const begin = asks.some(({ verb }) => verb !== 'peek') ? 'BEGIN IMMEDIATE' : 'BEGIN'
    const nowMs = this.#clock.now()
    this.#watch.see(nowMs)
    return this.#connection.transact(begin, (db: DatabaseSync) => this.#settler.settle(db, asks, nowMs))
  }

  /** Another process's batch takes some tenths of a millisecond: the loop goes on meanwhile. */
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

function answer({ resolve, reject }: Waiting, settled: Settled): void {
  if (settled instanceof StoreUnavailable) reject(settled)
  else resolve(settled)
}
