import { LRUCache } from 'lru-cache'
import type { Plan } from '#contract/plans.ts'
import { formatPlan, parseAccount, textNames, versionOf, type AccountRecord } from '../account-record.ts'
import { ClockWatch } from '../clock-steps.ts'
import { decide, quotaState, seen } from '../decide.ts'
import type { StoreOptions } from '../meter-store.ts'
import { periodHolding, type Period } from '../period.ts'
import { UnknownPlan, type PlanTable } from '../plan-table.ts'
import {
  StoreUnavailable,
  type AddressSubject,
  type Counters,
  type Decision,
  type Receipt,
  type Subject,
} from '../store.ts'
import type { RedisConnection } from './connection.ts'
import { addressWindow, countsKey, keyWindow, textKey } from './keys.ts'
import { scripts } from './script.ts'

/**
 * 50,000 entries of about a kilobyte. Limited by size: by number, a cache allocates all its places
 * at once, which took 12 ms.
 */
const cacheLimit = { maxSize: 50_000, sizeCalculation: () => 1 }

/** A key in force, with its account, as they were read. The script checks that they still are. */
interface KnownKey {
  keyId: string
  record: AccountRecord
  /** Undefined if it is not among the plans. */
  plan: Plan | undefined
  period: Period
  /** In the order of the script: window, account, its counts, those of the key. */
  redisKeys: readonly string[]
  /** For the script: version and creation; expiry, limits and plan. */
  args: readonly [before: readonly string[], after: readonly string[]]
}

/** What the script answers on a window or period that is in force. */
type Met = [nowMs: number, minute: number, count: number, requests: number, counted: number]

/** Windows and periods in Redis. Each call is one script, which Redis runs atomically. */
export class RedisCounters implements Counters {
  readonly #redis: RedisConnection
  readonly #plans: PlanTable
  readonly #clock: StoreOptions['clock']
  readonly #now: () => string
  readonly #watch: ClockWatch
  /** By the digest of the key. */
  readonly #known = new LRUCache<string, KnownKey>(cacheLimit)

  /** @param now the time in milliseconds, or empty: the server's own */
  constructor(redis: RedisConnection, plans: PlanTable, { clock, log }: StoreOptions, now: () => string) {
    this.#redis = redis
    this.#plans = plans
    this.#clock = clock
    this.#now = now
    this.#watch = new ClockWatch(log)
  }

  consume(subject: Subject, units: 0 | 1): Promise<Decision> {
    // Counted after its request was refused: a 5xx returns its unit (contract 1.3).
    const whenLate = (decision: Decision) => {
      if (decision.outcome === 'admitted' && decision.receipt) this.giveBack(decision.receipt).catch(() => {})
    }
    const consume = () => this.#meter(subject, 'consume', units)
    return this.#redis.within('count the request', consume, whenLate)
  }

  peek(subject: Subject): Promise<Decision> {
    return this.#redis.within('read the counters', () => this.#meter(subject, 'peek', 0))
  }

  keyIdOf(digest: string): string | undefined {
    return this.#known.get(digest)?.keyId
  }

  async giveBack({ account, keyId = '', periodStartMs }: Receipt): Promise<void> {
    const giveBack = async () => {
      const id = await this.#redis.command('GET', textKey(textNames.name(account)))
      if (id === null) return
      const counts = [countsKey(id as string), countsKey(id as string, keyId)]
      await this.#redis.run(scripts.giveBack, counts, [String(periodStartMs)])
    }
    await this.#redis.within('return the unit', giveBack)
  }

  async #meter(subject: Subject, verb: 'consume' | 'peek', units: 0 | 1): Promise<Decision> {
    return subject.kind === 'key'
      ? await this.#meterKey(subject.digest, verb, units)
      : await this.#meterAddress(subject, verb)
  }

  async #meterAddress({ address, perMinute }: AddressSubject, verb: 'consume' | 'peek'): Promise<Decision> {
    const isPeek = verb === 'peek'
    const [[, ...reply]] = await Promise.all([
      this.#run(verb, [addressWindow(address)], []),
      // In an emptied Redis, every address looks new: readiness must see that the store is gone.
      isPeek && this.#redis.checkStore(),
    ])
    const [nowMs, minute, count] = reply as Met
    this.#watch.see(nowMs)
    const window = { minute, count }
    return isPeek
      ? seen(perMinute, window, null)
      : decide({ nowMs, perMinute, window, quota: null, units: 0 })
  }

  async #meterKey(digest: string, verb: 'consume' | 'peek', units: 0 | 1): Promise<Decision> {
    // A key that changes, or whose period ends, at each attempt would be a fault.
    for (let attempt = 0; attempt < 10; attempt++) {
      const key = this.#knownKey(digest) ?? (await this.#findKey(digest))
      if (!key) return { outcome: 'unknown_key' }
      const { period, record, plan, keyId, args } = key
      const inPeriod = [String(period.startMs), String(period.endMs)]
      const keyArgs = [String(units), ...args[0], ...inPeriod, ...args[1]]
      const [word, ...reply] = await this.#run(plan ? verb : 'peek', key.redisKeys, keyArgs)
      if (word === 'expired') return { outcome: 'unknown_key' }
      if (word === 'changed') this.#known.delete(digest)
      if (word === 'other_period') key.period = periodHolding(record.createdAtMs, reply[0] as number)
      if (word !== 'met') continue
      if (!plan) throw new UnknownPlan(record.account, record.plan)
      const [nowMs, minute, count, requests, counted] = reply as Met
      this.#watch.see(nowMs)
      const window = { minute, count }
      // Without the unit that the script may have counted.
      const quota = quotaState(record, plan, period, requests)
      if (verb === 'peek') return seen(plan.perMinute, window, quota)
      const decision = decide({ nowMs, perMinute: plan.perMinute, window, quota, keyId, units })
      if ((counted === 1) !== (decision.outcome === 'admitted' && decision.receipt !== null))
        throw new Error(`the script ${counted ? 'counted' : 'did not count'} what was ${decision.outcome}`)
      return decision
    }
    throw new StoreUnavailable('an account changed ten times in a row')
  }

  async #run(verb: 'consume' | 'peek', keys: readonly string[], args: readonly string[]) {
    const [script, spends] = verb === 'peek' ? [scripts.look, '0'] : [scripts.spend, '1']
    return (await this.#redis.run(script, keys, [this.#now(), spends, ...args])) as [string, ...unknown[]]
  }

  /** A key that was found before, unless its plan has changed. */
  #knownKey(digest: string): KnownKey | undefined {
    const key = this.#known.get(digest)
    return key && this.#plans.named(key.record.plan) === key.plan ? key : undefined
  }

  /**
   * Reads a key, and in the same round trip whether Redis still holds the store. Undefined if there
   * is none, or it is disabled: it is not cached, for it may be there at any time.
   */
  async #findKey(digest: string): Promise<KnownKey | undefined> {
    const [id] = await Promise.all([
      this.#redis.command('GET', textKey(textNames.digest(digest))),
      this.#redis.checkStore(),
    ])
    if (id === null) return undefined
    const account = textKey(textNames.account(id as string))
    const text = (await this.#redis.command('GET', account)) as string | null
    const record = text === null ? undefined : parseAccount(text)
    const key = record?.keys.find((each) => each.digest === digest)
    if (!record || !key?.enabled) return undefined
    const { keyId, expiresAtMs } = key
    const { createdAtMs } = record
    const plan = this.#plans.named(record.plan)
    const counts = [countsKey(id as string), countsKey(id as string, keyId)]
    const limits = plan ? [String(plan.perPeriod ?? ''), String(plan.perMinute), formatPlan(plan)] : []
    const known: KnownKey = {
      keyId,
      record,
      plan,
      period: periodHolding(createdAtMs, this.#clock.now()),
      redisKeys: [keyWindow(id as string, keyId), account, ...counts],
      args: [
        [versionOf(text!), String(createdAtMs)],
        [String(expiresAtMs ?? ''), ...limits],
      ],
    }
    this.#known.set(digest, known)
    return known
  }
}
