import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { backup, type DatabaseSync } from 'node:sqlite'
import type { Plan } from '#contract/plans.ts'
import { quotaState } from '../decide.ts'
import type { RandomBytes } from '../key.ts'
import { SqliteAdministration } from './administration.ts'
import { SqliteCounters, type Ask, type Settled } from './counters.ts'
import { isBusy, isFault, openSqliteFile, transact, type Durability } from './file.ts'
import {
  StoreUnavailable,
  type AccountRecord,
  type Decision,
  type KeyRecord,
  type MeterOptions,
  type MeterStore,
  type NewKey,
  type QuotaState,
  type Receipt,
  type Subject,
} from '../store.ts'
import { TurnQueue } from '../turn-queue.ts'
import { UnknownPlan } from '../unknown-plan.ts'

export interface SqliteOptions extends MeterOptions {
  /** Makes the secret of the cursors; `crypto.randomBytes` unless given. */
  random?: RandomBytes
  /** How long a call waits for other processes before it gives up, in milliseconds; 5000 unless given. */
  busyTimeoutMs?: number
  /** Which crash what was counted survives; `process` unless given. */
  durability?: Durability
}

/** An ask on its way, and who waits for the answer. */
interface Waiting {
  ask: Ask
  resolve(settled: Settled): void
  reject(error: unknown): void
}

/**
 * The store on one machine: a SQLite file that all processes share.
 *
 * What is asked in one turn of the event loop is settled in one transaction and answered when it has committed (group commit), so nothing
 * answered is lost with the process, and nothing is admitted over a limit: the transaction takes the lock first (`BEGIN IMMEDIATE`), in whatever
 * process it is. Where another process has the lock, the batch waits without blocking the loop, and grows.
 */
export class SqliteStore implements MeterStore {
  /** Two connections: the counters never wait inside SQLite, the rest may. */
  readonly #counterDb: DatabaseSync
  readonly #db: DatabaseSync
  readonly #counters: SqliteCounters
  readonly #administration: SqliteAdministration
  readonly #queue: TurnQueue<Waiting>
  readonly #plans: ReadonlyMap<string, Plan>
  readonly #clock: MeterOptions['clock']
  readonly #random: RandomBytes
  readonly #busyTimeoutMs: number
  /** What waits for another process to let go of the file, since when, and when it is tried again. */
  #held: Waiting[] = []
  #heldSinceMs: number | null = null
  #heldTimer: NodeJS.Timeout | undefined

  private constructor(db: DatabaseSync, counterDb: DatabaseSync, options: SqliteOptions) {
    this.#db = db
    this.#counterDb = counterDb
    this.#counters = new SqliteCounters(counterDb, options.plans)
    this.#administration = new SqliteAdministration(db)
    this.#queue = new TurnQueue((batch) => this.#settle(batch))
    this.#plans = new Map(options.plans.map((plan) => [plan.name, plan]))
    this.#clock = options.clock
    this.#random = options.random ?? randomBytes
    this.#busyTimeoutMs = options.busyTimeoutMs ?? defaultBusyTimeoutMs
  }

  /**
   * Opens the store in a file, and makes it where there is none: folders with mode 0700, the file with 0600.
   *
   * @throws {Error} the file is something else, of another version, or has an account on a plan that the plans lack
   * @throws {StoreUnavailable} the file cannot be opened
   */
  static async open(file: string, options: SqliteOptions): Promise<SqliteStore> {
    const { busyTimeoutMs = defaultBusyTimeoutMs, durability = 'process' } = options
    const opened: DatabaseSync[] = []
    try {
      opened.push(await openSqliteFile(file, { busyTimeoutMs, durability }))
      opened.push(await openSqliteFile(file, { busyTimeoutMs, durability, impatient: true }))
      const store = new SqliteStore(opened[0]!, opened[1]!, options)
      if (options.unknownPlans !== 'allow') store.#refuseUnknownPlans()
      return store
    } catch (error) {
      for (const db of opened) db.close()
      const { message } = error as Error
      const Refusal = isFault(error) ? StoreUnavailable : Error
      throw new Refusal(`cannot open the store "${file}": ${message}`, { cause: error })
    }
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

  #ask(ask: Ask): Promise<Settled> {
    return new Promise((resolve, reject) => this.#queue.add({ ask, resolve, reject }))
  }

  /** Settles a batch in one transaction, together with what waits from before. */
  #settle(batch: Waiting[]): void {
    const waiting = this.#held.concat(batch)
    this.#held = []
    if (waiting.length === 0) return
    let settled: Settled[]
    try {
      settled = this.#settleAll(waiting.map(({ ask }) => ask))
    } catch (error) {
      this.#counters.forget()
      if (isBusy(error) && this.#isPatient()) return this.#hold(waiting)
      const fault = isFault(error)
        ? new StoreUnavailable(`cannot count the requests: ${(error as Error).message}`, { cause: error })
        : error
      this.#heldSinceMs = null
      for (const { reject } of waiting) reject(fault)
      return
    }
    this.#heldSinceMs = null
    for (const [i, { resolve, reject }] of waiting.entries()) {
      const answer = settled[i]
      if (answer instanceof StoreUnavailable) reject(answer)
      else resolve(answer)
    }
  }

  #settleAll(asks: readonly Ask[]): Settled[] {
    const begin = asks.some(({ verb }) => verb !== 'peek') ? 'BEGIN IMMEDIATE' : 'BEGIN'
    return transact(this.#counterDb, begin, () => this.#counters.settle(asks, this.#clock.now()))
  }

  /** Another process is at its own batch, which takes some tenths of a millisecond: the loop goes on meanwhile, and the batch grows. */
  #hold(waiting: Waiting[]): void {
    this.#held = waiting
    this.#heldSinceMs ??= performance.now()
    clearTimeout(this.#heldTimer)
    this.#heldTimer = setTimeout(() => this.#settle([]), 1)
  }

  #isPatient(): boolean {
    return this.#heldSinceMs === null || performance.now() - this.#heldSinceMs < this.#busyTimeoutMs
  }

  async cursorSecret(): Promise<Buffer> {
    return this.#transact('BEGIN IMMEDIATE', 'read the secret of the cursors', (tables) =>
      tables.cursorSecret(() => this.#random(32)),
    )
  }

  async ensureAccount(account: string, plan: string): Promise<AccountRecord> {
    return this.#transact('BEGIN IMMEDIATE', `create the account "${account}"`, (tables) =>
      tables.ensureAccount(account, plan, this.#clock.now()),
    )
  }

  async createAccount(account: string, plan: string): Promise<AccountRecord | null> {
    return this.#transact('BEGIN IMMEDIATE', `create the account "${account}"`, (tables) =>
      tables.createAccount(account, plan, this.#clock.now()),
    )
  }

  async countSignUp(address: string, perDay: number): Promise<boolean> {
    return this.#transact('BEGIN IMMEDIATE', 'count the sign-up', (tables) =>
      tables.countSignUp(address, perDay, this.#clock.now()),
    )
  }

  async account(name: string): Promise<AccountRecord | null> {
    return this.#transact('BEGIN', 'read the account', (tables) => tables.account(name))
  }

  async accounts(): Promise<AccountRecord[]> {
    return this.#transact('BEGIN', 'read the accounts', (tables) => tables.accounts())
  }

  async setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return this.#transact('BEGIN IMMEDIATE', 'change the plan', (tables) => tables.setPlan(account, plan))
  }

  async quota(account: string): Promise<QuotaState | null> {
    return this.#transact('BEGIN', 'read the quota', (tables) => {
      const record = tables.account(account)
      if (!record) return null
      const plan = this.#plans.get(record.plan)
      if (!plan) throw new UnknownPlan(record.account, record.plan)
      const { period, requests } = tables.period(record, this.#clock.now())
      return quotaState(record, plan, period, requests)
    })
  }

  /** @throws {Error} there is no such account */
  async addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return this.#transact('BEGIN IMMEDIATE', 'add the key', (tables) =>
      tables.addKey(account, key, this.#clock.now()),
    )
  }

  async key(keyId: string): Promise<KeyRecord | null> {
    return this.#transact('BEGIN', 'read the key', (tables) => tables.key(keyId))
  }

  async keys(): Promise<KeyRecord[]> {
    return this.#transact('BEGIN', 'read the keys', (tables) => tables.keys())
  }

  async setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return this.#transact('BEGIN IMMEDIATE', 'change the key', (tables) =>
      tables.setKeyEnabled(keyId, enabled),
    )
  }

  async rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    return this.#transact('BEGIN IMMEDIATE', 'rotate the key', (tables) =>
      tables.rotateKey(keyId, next, overlapMs, this.#clock.now()),
    )
  }

  /** Copies the whole store into a file while it is in use, by SQLite's online backup (https://sqlite.org/backup.html). @throws {StoreUnavailable} */
  async backup(file: string): Promise<void> {
    try {
      // Made first, for its mode: the copy holds all that the store does.
      await (await open(file, 'wx', 0o600)).close()
      await backup(this.#db, file)
    } catch (error) {
      throw new StoreUnavailable(`cannot back the store up to "${file}": ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  async close(): Promise<void> {
    if (!this.#db.isOpen) return
    this.#queue.flush()
    clearTimeout(this.#heldTimer)
    for (const { reject } of this.#held.splice(0))
      reject(new StoreUnavailable('cannot count the requests: the store is closed'))
    this.#counterDb.close()
    this.#db.close()
  }

  #refuseUnknownPlans(): void {
    const lost = this.#administration.accounts().find((account) => !this.#plans.has(account.plan))
    if (lost) throw new Error(new UnknownPlan(lost.account, lost.plan).message)
  }

  #transact<T>(
    begin: 'BEGIN' | 'BEGIN IMMEDIATE',
    action: string,
    work: (tables: SqliteAdministration) => T,
  ): T {
    try {
      return transact(this.#db, begin, () => work(this.#administration))
    } catch (error) {
      if (!isFault(error)) throw error
      throw new StoreUnavailable(`cannot ${action}: ${(error as Error).message}`, { cause: error })
    }
  }
}

const defaultBusyTimeoutMs = 5000
