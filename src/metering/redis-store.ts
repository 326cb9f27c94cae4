import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Plan } from '#contract/plans.ts'
import { decide, quotaState, windowState } from './decide.ts'
import type { RandomBytes } from './key.ts'
import { periodHolding, type Period } from './period.ts'
import { withoutPassword } from './redis-client.ts'
import { RedisConnection } from './redis-connection.ts'
import * as names from './redis-keys.ts'
import * as scripts from './redis-scripts.ts'
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
} from './store.ts'
import type { WindowCount } from './window.ts'

export interface RedisOptions extends MeterOptions {
  /** Makes the secret of the cursors; `crypto.randomBytes` unless given. */
  random?: RandomBytes
  /** Accounts on a plan that `plans` lacks: `refuse` to open (unless given), or `allow` them. They are not metered either way. */
  unknownPlans?: 'refuse' | 'allow'
  /** Whose time counts: that of the `server`, one for all machines (unless given), or that of `clock`, for tests. */
  time?: 'server' | 'clock'
}

/** Raised whenever the keys change. */
const schemaVersion = 1
const mark = 'clip-lookup meter '

/** Keys and accounts that a process remembers: some 300 bytes each. */
const remembered = 50_000

/** Where a key stands. This never changes, so that it may be remembered; whether the key is in force is asked each time. */
interface KeyPlace {
  account: string
  /** As the scripts want them: account, periods, key, window. */
  names: readonly string[]
}

/** The period last met of an account, and the creation that it is reckoned from. */
interface KnownPeriod extends Period {
  createdAtMs: number
  /** As the scripts want it. */
  args: readonly string[]
}

const noPeriod: KnownPeriod = { createdAtMs: NaN, startMs: NaN, endMs: NaN, args: ['', '', ''] }

/** What a script of one account saw, of its plan and period. */
interface Sight {
  nowMs: number
  plan: Plan
  window: WindowCount
  quota: QuotaState
  /** Whether it counted a unit, which is not in `quota`. */
  isCounted: boolean
}

/**
 * The store for several machines: a Redis, a Valkey or a cluster of them.
 *
 * A request is one script, which Redis runs with nothing beside it; that a script has answered means that its effect is in memory there,
 * and as safe as the server keeps its data (`appendonly yes` with `appendfsync always`: any crash of it). Time is the server's.
 * A clock that steps back opens no spent window or period again. A script can say what the period is only by an instant, as Lua has no
 * calendar: the process brings the period that it knows, and where the script finds it over, works out the one that it is told to.
 */
export class RedisStore implements MeterStore {
  readonly #redis: RedisConnection
  readonly #plans: readonly Plan[]
  readonly #planArgs: readonly string[]
  readonly #now: () => string
  readonly #random: RandomBytes
  readonly #places = new LRUCache<string, KeyPlace>({ max: remembered })
  readonly #periods = new LRUCache<string, KnownPeriod>({ max: remembered })

  private constructor(redis: RedisConnection, { plans, clock, time, random }: RedisOptions) {
    this.#redis = redis
    this.#plans = plans
    this.#planArgs = plans.flatMap((plan) => [
      plan.name,
      String(plan.perPeriod ?? ''),
      String(plan.perMinute),
    ])
    this.#now = time === 'clock' ? () => String(clock.now()) : () => ''
    this.#random = random ?? randomBytes
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
    const work = () =>
      subject.kind === 'key'
        ? this.#consumeByKey(subject.digest, units)
        : this.#consumeByAddress(subject.address, subject.perMinute, units)
    // counted after its request had been refused: a 5xx gives its unit back
    return this.#redis.within('count the request', work, (decision) => {
      if (decision.outcome === 'admitted' && decision.receipt) this.giveBack(decision.receipt).catch(() => {})
    })
  }

  peek(subject: Subject): Promise<Decision> {
    const work = () =>
      subject.kind === 'key'
        ? this.#peekByKey(subject.digest)
        : this.#peekByAddress(subject.address, subject.perMinute)
    return this.#redis.within('read the counters', work)
  }

  giveBack({ account, periodStartMs }: Receipt): Promise<void> {
    return this.#redis.within('give the unit back', async () => {
      await this.#redis.run(scripts.giveBackUnit, [names.periods(account)], [String(periodStartMs)])
    })
  }

  cursorSecret(): Promise<Buffer> {
    return this.#redis.within('read the secret of the cursors', async () => {
      const fresh = Buffer.from(this.#random(32)).toString('base64')
      const kept = await this.#redis.command('SET', names.cursorSecret, fresh, 'NX', 'GET')
      return Buffer.from((kept ?? fresh) as string, 'base64')
    })
  }

  ensureAccount(account: string, plan: string): Promise<AccountRecord> {
    return this.#redis.within(`create the account "${account}"`, async () => {
      // in the index first: what is not in it would never be listed
      await this.#redis.run(scripts.addToIndex, [names.accountIndex], [account])
      const args = [this.#now(), plan]
      const fields = await this.#redis.run(scripts.createAccount, [names.accountRecord(account)], args)
      return toAccountRecord(account, fields)!
    })
  }

  account(name: string): Promise<AccountRecord | null> {
    return this.#redis.within('read the account', () => this.#account(name))
  }

  accounts(): Promise<AccountRecord[]> {
    return this.#list('read the accounts', names.accountIndex, (name) => this.#account(name))
  }

  setPlan(account: string, plan: string): Promise<AccountRecord | null> {
    return this.#redis.within('change the plan', async () => {
      const fields = await this.#redis.run(scripts.changePlan, [names.accountRecord(account)], [plan])
      return toAccountRecord(account, fields)
    })
  }

  quota(account: string): Promise<QuotaState | null> {
    return this.#redis.within('read the quota', async () => {
      const keys = [names.accountRecord(account), names.periods(account)]
      return (await this.#see(scripts.readQuota, account, keys, 0))?.quota ?? null
    })
  }

  /** @throws {Error} there is no such account, or there is such a key */
  addKey(account: string, key: NewKey): Promise<KeyRecord> {
    return this.#redis.within('add the key', async () => {
      if (!(await this.#account(account))) throw new Error(`cannot add a key: no account "${account}"`)
      await this.#pointTo(account, key)
      const keys = [names.accountRecord(account), names.keyRecord(account, key.keyId)]
      return await this.#createKey(account, key, keys, [])
    })
  }

  key(keyId: string): Promise<KeyRecord | null> {
    return this.#redis.within('read the key', () => this.#key(keyId))
  }

  keys(): Promise<KeyRecord[]> {
    return this.#list('read the keys', names.keyIndex, (keyId) => this.#key(keyId))
  }

  setKeyEnabled(keyId: string, enabled: boolean): Promise<KeyRecord | null> {
    return this.#redis.within('change the key', async () => {
      const account = await this.#accountOf(keyId)
      if (account === null) return null
      const keys = [names.accountRecord(account), names.keyRecord(account, keyId)]
      return toKeyRecord(
        keyId,
        account,
        await this.#redis.run(scripts.enableKey, keys, [enabled ? '1' : '0']),
      )
    })
  }

  rotateKey(keyId: string, next: NewKey, expiresAtMs: number): Promise<KeyRecord | null> {
    return this.#redis.within('rotate the key', async () => {
      const old = await this.#key(keyId)
      if (!old) return null
      await this.#pointTo(old.account, next)
      const keys = [
        names.accountRecord(old.account),
        names.keyRecord(old.account, next.keyId),
        names.keyRecord(old.account, keyId),
      ]
      return await this.#createKey(old.account, next, keys, [String(expiresAtMs)])
    })
  }

  async close(): Promise<void> {
    await this.#redis.close()
  }

  async #consumeByKey(digest: Buffer, units: 0 | 1): Promise<Decision> {
    const place = await this.#placeOf(digest)
    const sight = place && (await this.#see(scripts.consumeByKey, place.account, place.names, units))
    if (!sight) return { outcome: 'unknown_key' }
    const { nowMs, plan, window, quota, isCounted } = sight
    const decision = decide({ nowMs, perMinute: plan.perMinute, window, quota, units })
    if (isCounted !== (decision.outcome === 'admitted' && decision.receipt !== null)) {
      throw new Error(`the script ${isCounted ? 'counted' : 'did not count'} what was ${decision.outcome}`)
    }
    return decision
  }

  async #peekByKey(digest: Buffer): Promise<Decision> {
    const place = await this.#placeOf(digest)
    const sight = place && (await this.#see(scripts.peekByKey, place.account, place.names, 0))
    if (!sight) return { outcome: 'unknown_key' }
    const { plan, window, quota } = sight
    return { outcome: 'admitted', window: windowState(plan.perMinute, window), quota, receipt: null }
  }

  async #consumeByAddress(address: string, perMinute: number, units: 0 | 1): Promise<Decision> {
    const { nowMs, window } = await this.#seeAddress(scripts.consumeByAddress, address)
    return decide({ nowMs, perMinute, window, quota: null, units })
  }

  async #peekByAddress(address: string, perMinute: number): Promise<Decision> {
    const { window } = await this.#seeAddress(scripts.peekByAddress, address)
    return { outcome: 'admitted', window: windowState(perMinute, window), quota: null, receipt: null }
  }

  async #seeAddress(script: scripts.Script, address: string): Promise<Pick<Sight, 'nowMs' | 'window'>> {
    const reply = await this.#redis.run(script, [names.addressWindow(address)], [this.#now()])
    const [nowMs, minute, count] = reply as [number, number, number]
    return { nowMs, window: { minute, count } }
  }

  /** Runs a script on the period in force of an account. Undefined where account or key are not in force. */
  async #see(
    script: scripts.Script,
    account: string,
    keys: readonly string[],
    units: 0 | 1,
  ): Promise<Sight | undefined> {
    // a period ends but once a month: a third answer of this kind would be a fault
    for (let attempt = 0; attempt < 3; attempt++) {
      const known = this.#periods.get(account) ?? noPeriod
      const args = [this.#now(), ...known.args, String(units), ...this.#planArgs]
      const [word, ...rest] = (await this.#redis.run(script, keys, args)) as [string, ...unknown[]]
      if (word === 'met') return this.#toSight(account, known, rest as number[])
      if (word === 'nothing') return undefined
      if (word === 'unknown_plan') throw unknownPlan(account, rest[0] as string)
      const [createdAtMs, atMs] = rest as [number, number]
      this.#periods.set(account, knownPeriod(createdAtMs, atMs))
    }
    throw new StoreUnavailable(`the period of the account "${account}" does not hold still`)
  }

  #toSight(account: string, period: KnownPeriod, numbers: number[]): Sight {
    const [nowMs, planIndex, minute, count, requests, counted] = numbers as [
      number,
      number,
      number,
      number,
      number,
      number | undefined,
    ]
    const plan = this.#plans[planIndex]!
    const record = { account, plan: plan.name, createdAtMs: period.createdAtMs }
    const quota = quotaState(record, plan, period, requests)
    return { nowMs, plan, window: { minute, count }, quota, isCounted: counted === 1 }
  }

  async #placeOf(digest: Buffer): Promise<KeyPlace | undefined> {
    const hex = digest.toString('hex')
    const known = this.#places.get(hex)
    if (known) return known
    const pointer = (await this.#redis.command('GET', names.digestPointer(hex))) as string | null
    // a key that is not there may be made at any time
    if (pointer === null) return undefined
    const place = toPlace(pointer)
    this.#places.set(hex, place)
    return place
  }

  async #account(name: string): Promise<AccountRecord | null> {
    const fields = await this.#redis.command('HMGET', names.accountRecord(name), 'plan', 'createdAtMs')
    return toAccountRecord(name, fields)
  }

  async #accountOf(keyId: string): Promise<string | null> {
    return (await this.#redis.command('GET', names.keyPointer(keyId))) as string | null
  }

  async #key(keyId: string): Promise<KeyRecord | null> {
    const account = await this.#accountOf(keyId)
    if (account === null) return null
    const keys = [names.accountRecord(account), names.keyRecord(account, keyId)]
    return toKeyRecord(keyId, account, await this.#redis.run(scripts.readKey, keys, []))
  }

  /**
   * Writes what leads to a key before there is one: these stand in other slots, so it cannot be one step. A crash in between leaves
   * pointers to nothing, which is no key; nobody has seen its text.
   */
  async #pointTo(account: string, { keyId, digest }: NewKey): Promise<void> {
    const { keyPointer, digestPointer, keyIndex } = names
    const pointers: [string, string][] = [
      [keyPointer(keyId), account],
      [digestPointer(digest.toString('hex')), `${keyId} ${account}`],
    ]
    for (const [name, target] of pointers) {
      const held = await this.#redis.command('SET', name, target, 'NX', 'GET')
      if (held !== null && held !== target)
        throw new Error(`cannot add the key "${keyId}": there is one like it`)
    }
    await this.#redis.run(scripts.addToIndex, [keyIndex], [keyId])
  }

  /** From here on there is the key. */
  async #createKey(account: string, key: NewKey, keys: string[], expiry: string[]): Promise<KeyRecord> {
    const args = [this.#now(), key.prefix, key.last4, ...expiry]
    const fields = await this.#redis.run(scripts.createKey, keys, args)
    if (fields === null) throw new Error(`cannot add the key "${key.keyId}": there is one like it`)
    return toKeyRecord(key.keyId, account, fields)!
  }

  /** Reads what an index names, in its order, in portions that each come in good time. */
  async #list<T>(action: string, index: string, read: (name: string) => Promise<T | null>): Promise<T[]> {
    const portion = 500
    const records: T[] = []
    for (let at = 0; ; at += portion) {
      const found = await this.#redis.within(action, async () => {
        const range = [String(at), String(at + portion - 1)]
        const members = (await this.#redis.command('ZRANGE', index, ...range)) as string[]
        return await Promise.all(members.map(read))
      })
      for (const record of found) if (record !== null) records.push(record)
      if (found.length < portion) return records
    }
  }

  /** Checks that the keys here are ours, and makes them so where there are none. Safe for many processes at once. */
  async #claim(): Promise<void> {
    const ours = mark + schemaVersion
    const held = await this.#redis.within('read its mark', async () => {
      const before = await this.#redis.command('GET', names.storeMark)
      if (before !== null) return before as string
      const isInUse = (await this.#redis.command('EXISTS', names.accountIndex)) === 1
      if (!isInUse) await this.#redis.command('SET', names.storeMark, ours, 'NX')
      // once more, as another process may have opened it in the meantime
      return (await this.#redis.command('GET', names.storeMark)) as string | null
    })
    if (held === ours) return
    if (held === null)
      throw new Error(`it has accounts but has lost its mark, "${names.storeMark}", and may have lost more`)
    if (!held.startsWith(mark))
      throw new Error(`its "${names.storeMark}" is something else, not the mark of a store of clip-lookup`)
    throw new Error(
      `its schema is version ${held.slice(mark.length)}, this program has version ${schemaVersion}`,
    )
  }

  async #refuseUnknownPlans(): Promise<void> {
    const known = new Set(this.#plans.map((plan) => plan.name))
    const lost = (await this.accounts()).find(({ plan }) => !known.has(plan))
    if (lost) throw new Error(unknownPlan(lost.account, lost.plan).message)
  }
}

function unknownPlan(account: string, plan: string): StoreUnavailable {
  return new StoreUnavailable(`the account "${account}" is on the plan "${plan}", which the plans lack`)
}

function knownPeriod(createdAtMs: number, atMs: number): KnownPeriod {
  const { startMs, endMs } = periodHolding(createdAtMs, atMs)
  return { createdAtMs, startMs, endMs, args: [createdAtMs, startMs, endMs].map(String) }
}

/** `<keyId> <account>`: an id has no blanks. */
function toPlace(pointer: string): KeyPlace {
  const blank = pointer.indexOf(' ')
  const keyId = pointer.slice(0, blank)
  const account = pointer.slice(blank + 1)
  const { accountRecord, periods, keyRecord, keyWindow } = names
  return {
    account,
    names: [accountRecord(account), periods(account), keyRecord(account, keyId), keyWindow(account, keyId)],
  }
}

function toAccountRecord(account: string, fields: unknown): AccountRecord | null {
  const [plan, createdAtMs] = fields as [string | null, string | null]
  return plan === null ? null : { account, plan, createdAtMs: Number(createdAtMs) }
}

function toKeyRecord(keyId: string, account: string, fields: unknown): KeyRecord | null {
  const [plan, prefix, last4, enabled, createdAtMs, expiresAtMs] = fields as (string | null)[]
  if (prefix == null) return null
  return {
    keyId,
    account,
    plan: plan!,
    prefix,
    last4: last4!,
    enabled: enabled === '1',
    createdAtMs: Number(createdAtMs),
    expiresAtMs: expiresAtMs == null ? null : Number(expiresAtMs),
  }
}
