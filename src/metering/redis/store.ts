import { randomBytes } from 'node:crypto'
import type { RandomBytes } from '../key.ts'
import { RedisAdministration } from './administration.ts'
import { withoutPassword } from './client.ts'
import { RedisConnection } from './connection.ts'
import { RedisCounters } from './counters.ts'
import { storeMark, accountIndex } from './keys.ts'
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
import { UnknownPlan } from '../unknown-plan.ts'

export interface RedisOptions extends MeterOptions {
  /** Makes the secret of the cursors; `crypto.randomBytes` unless given. */
  random?: RandomBytes
  /** Whose time counts: that of the `server`, one for all machines (unless given), or that of `clock`, for tests. */
  time?: 'server' | 'clock'
}

/** Raised whenever the keys change. */
const schemaVersion = 1
const mark = 'clip-lookup meter '

/** Accounts or keys that are read at once; a list may take long, but no part of it. */
const portion = 500

/**
 * The store for several machines: a Redis, a Valkey or a cluster of them.
 *
 * A request is one script, which Redis runs with nothing beside it. What a script has answered is as safe as that server keeps its
 * data: with `appendonly yes` and `appendfsync always` it survives any crash. Time is the server's, and a clock that steps back opens no
 * spent window or period again. Each call waits for Redis less than a second; a request whose answer comes later gets its unit back.
 */
export class RedisStore implements MeterStore {
  readonly #redis: RedisConnection
  readonly #counters: RedisCounters
  readonly #administration: RedisAdministration
  readonly #options: RedisOptions

  private constructor(redis: RedisConnection, options: RedisOptions) {
    const { plans, clock, time } = options
    const now = time === 'clock' ? () => String(clock.now()) : () => ''
    this.#redis = redis
    this.#counters = new RedisCounters(redis, plans, now)
    this.#administration = new RedisAdministration(redis, now)
    this.#options = options
  }

  /**
   * Opens the store at an address, `redis://` or `rediss://`, and makes it where there is none. Its keys begin with `clip-lookup:`;
   * others beside them are let be.
   *
   * @throws {Error} it is too old, drops keys, holds something else, is of another version, or has an account on a plan that the plans lack
   * @throws {StoreUnavailable} nobody answers within some seconds
   */
  static async open(url: string, options: RedisOptions): Promise<RedisStore> {
    let redis: RedisConnection | undefined
    try {
      redis = await RedisConnection.open(url)
      const store = new RedisStore(redis, options)
      await store.#claim()
      if (options.unknownPlans !== 'allow') await store.#refuseUnknownPlans()
      return store
    } catch (error) {
      await redis?.close()
      const Refusal = error instanceof StoreUnavailable ? StoreUnavailable : Error
      throw new Refusal(`cannot open the store "${withoutPassword(url)}": ${(error as Error).message}`)
    }
  }

  consume(subject: Subject, units: 0 | 1): Promise<Decision> {
    // counted after its request had been refused: a 5xx gives its unit back (contract 1.3)
    const whenLate = (decision: Decision) => {
      if (decision.outcome === 'admitted' && decision.receipt) this.giveBack(decision.receipt).catch(() => {})
    }
    return this.#redis.within('count the request', () => this.#counters.consume(subject, units), whenLate)
  }

  peek(subject: Subject): Promise<Decision> {
    return this.#redis.within('read the counters', () => this.#counters.peek(subject))
  }

  giveBack(receipt: Receipt): Promise<void> {
    return this.#redis.within('give the unit back', () => this.#counters.giveBack(receipt))
  }

  quota(account: string): Promise<QuotaState | null> {
    return this.#redis.within('read the quota', () => this.#counters.quota(account))
  }

  cursorSecret(): Promise<Buffer> {
    const fresh = (this.#options.random ?? randomBytes)(32)
    const action = 'read the secret of the cursors'
    return this.#redis.within(action, () => this.#administration.cursorSecret(fresh))
  }

  ensureAccount(account: string, plan: string): Promise<AccountRecord> {
    const action = `create the account "${account}"`
    return this.#redis.within(action, () => this.#administration.ensureAccount(account, plan))
  }

  createAccount(account: string, plan: string): Promise<AccountRecord | null> {
    const action = `create the account "${account}"`
    return this.#redis.within(action, () => this.#administration.createAccount(account, plan))
  }

  countSignUp(address: string, perDay: number): Promise<boolean> {
    return this.#redis.within('count the sign-up', () => this.#administration.countSignUp(address, perDay))
  }

  account(name: string): Promise<AccountRecord | null> {
    return this.#redis.within('read the account', () => this.#administration.account(name))
  }

  accounts(): Promise<AccountRecord[]> {
    return this.#list('read the accounts', (from) => this.#administration.accounts(from, portion))
  }

  setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return this.#redis.within('change the plan', () => this.#administration.setPlan(account, plan))
  }

  addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return this.#redis.within('add the key', () => this.#administration.addKey(account, key))
  }

  key(keyId: string): Promise<KeyRecord | null> {
    return this.#redis.within('read the key', () => this.#administration.key(keyId))
  }

  keys(): Promise<KeyRecord[]> {
    return this.#list('read the keys', (from) => this.#administration.keys(from, portion))
  }

  setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return this.#redis.within('change the key', () => this.#administration.setKeyEnabled(keyId, enabled))
  }

  rotateKey(keyId: string, next: NewKey, overlapMs: number): Promise<KeyRecord | null> {
    const action = 'rotate the key'
    return this.#redis.within(action, () => this.#administration.rotateKey(keyId, next, overlapMs))
  }

  async close(): Promise<void> {
    await this.#redis.close()
  }

  async #list<T>(action: string, read: (from: number) => Promise<(T | null)[]>): Promise<T[]> {
    const records: T[] = []
    for (let from = 0; ; from += portion) {
      const found = await this.#redis.within(action, () => read(from))
      records.push(...found.filter((record) => record !== null))
      if (found.length < portion) return records
    }
  }

  /** Checks that the keys here are ours, and makes them so where there are none. Safe for many processes at once. */
  async #claim(): Promise<void> {
    const ours = mark + schemaVersion
    const held = await this.#redis.within('read its mark', async () => {
      const before = await this.#mark()
      if (before !== null) return before
      const isInUse = (await this.#redis.command('EXISTS', accountIndex)) === 1
      if (!isInUse) await this.#redis.command('SET', storeMark, ours, 'NX')
      // once more, as another process may have opened it in the meantime
      return await this.#mark()
    })
    if (held === ours) return
    if (held === null)
      throw new Error(`it has accounts, but has lost its "${storeMark}", and may have lost more`)
    if (!held.startsWith(mark)) throw new Error(`its "${storeMark}" is not that of a store of clip-lookup`)
    const version = held.slice(mark.length)
    throw new Error(`its schema is version ${version}, this program has version ${schemaVersion}`)
  }

  /** The mark of the store; what is no text at all is another's. */
  async #mark(): Promise<string | null> {
    const type = await this.#redis.command('TYPE', storeMark)
    if (type !== 'string' && type !== 'none') return ''
    return (await this.#redis.command('GET', storeMark)) as string | null
  }

  async #refuseUnknownPlans(): Promise<void> {
    const known = new Set(this.#options.plans.map((plan) => plan.name))
    const lost = (await this.accounts()).find(({ plan }) => !known.has(plan))
    if (lost) throw new Error(new UnknownPlan(lost.account, lost.plan).message)
  }
}
