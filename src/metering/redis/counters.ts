import { LRUCache } from 'lru-cache'
import type { Plan } from '#contract/plans.ts'
import { formatPlan, parseAccount, textNames, versionOf, type AccountRecord } from '../account-record.ts'
import { watchClock } from '../clock-steps.ts'
import { decide, type Units } from '../decide.ts'
import {
  StoreUnavailable,
  type AddressSubject,
  type Counters,
  type Decision,
  type Receipt,
  type StoreOptions,
  type Subject,
} from '../store.ts'
import { periodHolding, type Period } from '../period.ts'
import { UnknownPlan, type PlanTable } from '../plan-table.ts'
import type { RedisConnection } from './connection.ts'
import { addressWindow, countsKey, keyWindow, textKey } from './keys.ts'
import { scripts } from './script.ts'

/**
 * A valid key with its account, as they were read. The script checks that they are still current.
 */
interface KnownKey {
  keyId: string
  record: AccountRecord
  /** Undefined if it is not among the plans. */
  plan: Plan | undefined
  period: Period
  /** The keys in the order of the script: window, account, its counts, the counts of the key. */
  redisKeys: readonly string[]
  /** For the script: version and creation of the account, expiry of the key, limits and plan. */
  args: readonly string[]
}

/** The script's reply about the window and the period in force. */
type Met = [nowMs: number, minute: number, count: number, requests: number, counted: number]

/** Windows and periods in Redis. Each call is one script, which Redis runs atomically. */
export class RedisCounters implements Counters {
  readonly #redis: RedisConnection
  readonly #plans: PlanTable
  readonly #clock: StoreOptions['clock']
  readonly #now: () => string
  readonly #watch: (nowMs: number) => void
  /** Keyed by the digest of the key; an entry takes about a kilobyte. */
  readonly #known = new LRUCache<string, KnownKey>({ max: 50_000 })

  /** @param now the time in milliseconds, or empty for the server's own */
  constructor(redis: RedisConnection, plans: PlanTable, { clock, log }: StoreOptions, now: () => string) {
    this.#redis = redis
    this.#plans = plans
    this.#clock = clock
    this.#now = now
    this.#watch = watchClock(log)
  }

  consume(subject: Subject, units: 0 | 1): Promise<Decision> {
    // The unit was counted after its request was refused, so it is given back, as for any 5xx
    // (contract 1.3).
    const whenLate = (decision: Decision) => {
      if (decision.outcome === 'admitted' && decision.receipt) this.giveBack(decision.receipt).catch(() => {})
    }
    return this.#redis.within('count the request', () => this.#meter(subject, units), whenLate)
  }

  peek(subject: Subject): Promise<Decision> {
    return this.#redis.within('read the counters', () => this.#meter(subject, null))
  }

  keyIdOf(digest: string): string | undefined {
    return this.#known.get(digest)?.keyId
  }

  async giveBack({ accountId, keyId = '', periodStartMs }: Receipt): Promise<void> {
    const counts = [countsKey(accountId), countsKey(accountId, keyId)]
    const giveBack = () => this.#redis.run(scripts.giveBack, counts, [String(periodStartMs)])
    await this.#redis.within('return the unit', giveBack)
  }

  async #meter(subject: Subject, units: Units): Promise<Decision> {
    return subject.kind === 'key'
      ? await this.#meterKey(subject.digest, units)
      : await this.#meterAddress(subject, units)
  }

  async #meterAddress({ address, perMinute }: AddressSubject, units: Units): Promise<Decision> {
    const [[, ...reply]] = await Promise.all([
      this.#run(units, [addressWindow(address)], []),
      // Every address looks new to an emptied Redis, so readiness must detect that the store is
      // gone.
      units === null && this.#redis.checkStore(),
    ])
    const [nowMs, minute, count] = reply as Met
    this.#watch(nowMs)
    return decide({ nowMs, perMinute, window: { minute, count }, quota: null, units })
  }

  async #meterKey(digest: string, units: Units): Promise<Decision> {
    // A key that changes, or whose period ends, at each attempt would be a fault.
    for (let attempt = 0; attempt < 10; attempt++) {
      const key = this.#knownKey(digest) ?? (await this.#findKey(digest))
      if (!key) return { outcome: 'unknown_key' }
      const { period, record, plan, keyId, args } = key
      const keyArgs = [units ?? 0, period.startMs, period.endMs].map(String).concat(args)
      const [word, ...reply] = await this.#run(plan ? units : null, key.redisKeys, keyArgs)
      if (word === 'expired') return { outcome: 'unknown_key' }
      if (word === 'changed') this.#known.delete(digest)
      if (word === 'other_period') key.period = periodHolding(record.createdAtMs, reply[0] as number)
      if (word !== 'met') continue
      if (!plan) throw new UnknownPlan(record.account, record.plan)
      const [nowMs, minute, count, requests, countedUnits] = reply as Met
      this.#watch(nowMs)
      const window = { minute, count }
      // Without the unit that the script may have counted.
      const quota = { account: record.account, accountId: record.id, plan, period, requests }
      const decision = decide({ nowMs, perMinute: plan.perMinute, window, quota, keyId, units })
      if ((countedUnits === 1) !== (decision.outcome === 'admitted' && decision.receipt !== null))
        throw new Error(
          `the script ${countedUnits ? 'counted' : 'did not count'} a request with the outcome "${decision.outcome}"`,
        )
      return decision
    }
    throw new StoreUnavailable('the account changed during each of ten attempts')
  }

  async #run(units: Units, keys: readonly string[], args: readonly string[]) {
    const [script, spends] = units === null ? [scripts.look, '0'] : [scripts.spend, '1']
    return (await this.#redis.run(script, keys, [this.#now(), spends, ...args])) as [string, ...unknown[]]
  }

  /** Returns a key that was found before, unless its plan has changed. */
  #knownKey(digest: string): KnownKey | undefined {
    const key = this.#known.get(digest)
    return key && this.#plans.get(key.record.plan) === key.plan ? key : undefined
  }

  /**
   * Reads a key and, in the same round trip, whether Redis still has the store. Undefined if there
   * is no such key, or it is disabled. This is not cached, because the key may be created or
   * enabled at any time.
   */
  async #findKey(digest: string): Promise<KnownKey | undefined> {
    const [id] = await Promise.all([this.#get(textKey(textNames.digest(digest))), this.#redis.checkStore()])
    if (id === null) return undefined
    const account = textKey(textNames.account(id))
    const text = await this.#get(account)
    const record = text === null ? undefined : parseAccount(text)
    const key = record?.keys.find((each) => each.digest === digest)
    if (!record || !key?.enabled) return undefined
    const { keyId, expiresAtMs } = key
    const { createdAtMs } = record
    const plan = this.#plans.get(record.plan)
    const counts = [countsKey(id), countsKey(id, keyId)]
    const limits = plan ? [String(plan.perPeriod ?? ''), String(plan.perMinute), formatPlan(plan)] : []
    const known: KnownKey = {
      keyId,
      record,
      plan,
      period: periodHolding(createdAtMs, this.#clock.now()),
      redisKeys: [keyWindow(id, keyId), account, ...counts],
      args: [versionOf(text!), String(createdAtMs), String(expiresAtMs ?? ''), ...limits],
    }
    this.#known.set(digest, known)
    return known
  }

  async #get(key: string): Promise<string | null> {
    return (await this.#redis.send(key, ['GET', key])) as string | null
  }
}
