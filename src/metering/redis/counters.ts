import { LRUCache } from 'lru-cache'
import type { Plan } from '#contract/plans.ts'
import { ClockWatch } from '../clock-steps.ts'
import { decide, quotaState, seen } from '../decide.ts'
import { periodHolding, type Period } from '../period.ts'
import type { RedisConnection } from './connection.ts'
import * as names from './keys.ts'
import * as scripts from './counter-scripts.ts'
import type { Script } from './script.ts'
import {
  StoreUnavailable,
  type Counters,
  type Decision,
  type MeterOptions,
  type OnCalled,
  type QuotaState,
  type Receipt,
  type Subject,
} from '../store.ts'
import { UnknownPlan } from '../plan-table.ts'

/**
 * 50,000 entries of some 300 bytes. Limited by size: by number, a cache allocates all its places at
 * once, which took 12 ms.
 */
const cacheLimit = { maxSize: 50_000, sizeCalculation: () => 1 }

/**
 * Where a key is stored. Only a rename changes that, so it is cached; whether the key is in force
 * is read each time.
 */
interface KeyPlace {
  keyId: string
  account: string
  /** In the order of the scripts: account, periods, key, window. */
  names: readonly string[]
}

/** The last known period of an account, and the creation from which it is counted. */
interface KnownPeriod extends Period {
  createdAtMs: number
  /** As arguments of the scripts. */
  args: readonly string[]
}

const noPeriod: KnownPeriod = { createdAtMs: NaN, startMs: NaN, endMs: NaN, args: ['', '', ''] }

/**
 * The plans in force, also as arguments of the scripts. A script's answer names a plan by its
 * index.
 */
interface SentPlans {
  plans: readonly Plan[]
  args: readonly string[]
}

/** What a script answers on a period that is in force. */
type Met = [nowMs: number, plan: number, minute: number, count: number, requests: number, counted?: number]

/**
 * Windows and periods in Redis. Each call is one script, which Redis runs atomically.
 *
 * Lua has no calendar, so a script cannot compute when a period ends. The process sends the period
 * that it knows. If that is over, the script returns the instant, and the process computes the
 * period that holds it and calls again.
 */
export class RedisCounters implements Counters {
  onCalled: OnCalled | undefined
  readonly #redis: RedisConnection
  #plans!: SentPlans
  readonly #now: () => string
  readonly #watch: ClockWatch
  /** By the digest of the key. */
  readonly #places = new LRUCache<string, KeyPlace>(cacheLimit)
  readonly #periods = new LRUCache<string, KnownPeriod>(cacheLimit)

  /** @param now the time in milliseconds, or empty: the server's own */
  constructor(redis: RedisConnection, { plans, log }: MeterOptions, now: () => string) {
    this.#redis = redis
    this.usePlans(plans)
    this.#now = now
    this.#watch = new ClockWatch(log)
  }

  usePlans(plans: readonly Plan[]): void {
    const args = plans.flatMap((plan) => [plan.name, String(plan.perPeriod ?? ''), String(plan.perMinute)])
    this.#plans = { plans, args }
  }

  consume(subject: Subject, units: 0 | 1): Promise<Decision> {
    // Counted after its request was refused: a 5xx returns its unit (contract 1.3).
    const whenLate = (decision: Decision) => {
      if (decision.outcome === 'admitted' && decision.receipt) this.giveBack(decision.receipt).catch(() => {})
    }
    const consume = () => this.#decide(subject, 'consume', units)
    return this.#call('consume', 'count the request', consume, whenLate)
  }

  peek(subject: Subject): Promise<Decision> {
    return this.#call('peek', 'read the counters', () => this.#decide(subject, 'peek', 0))
  }

  keyIdOf(digest: string): string | undefined {
    return this.#places.get(digest)?.keyId
  }

  async giveBack({ account, periodStartMs }: Receipt): Promise<void> {
    const giveBack = () =>
      this.#redis.run(scripts.giveBackUnit, [names.periods(account)], [String(periodStartMs)])
    await this.#call('giveBack', 'return the unit', giveBack)
  }

  /** Runs a call within the time limit, and reports how long it took. */
  #call<Result>(
    call: Parameters<OnCalled>[0],
    action: string,
    work: () => Promise<Result>,
    whenLate?: (result: Result) => void,
  ): Promise<Result> {
    const { onCalled } = this
    if (!onCalled) return this.#redis.within(action, work, whenLate)
    const startMs = performance.now()
    const result = this.#redis.within(action, work, whenLate)
    const report = (isFailed: boolean) => onCalled(call, performance.now() - startMs, isFailed)
    result.then(
      () => report(false),
      () => report(true),
    )
    return result
  }

  async quota(account: string): Promise<QuotaState | null> {
    const keys = [names.accountRecord(account), names.periods(account)]
    return (await this.#viewAccount(scripts.readQuota, account, keys, 0))?.quota ?? null
  }

  async #decide(subject: Subject, verb: 'consume' | 'peek', units: 0 | 1): Promise<Decision> {
    const isPeek = verb === 'peek'
    if (subject.kind === 'address') {
      const { address, perMinute } = subject
      const script = isPeek ? scripts.peekByAddress : scripts.consumeByAddress
      const reply = await this.#redis.run(script, [names.addressWindow(address)], [this.#now()])
      const [nowMs, minute, count] = reply as [number, number, number]
      this.#watch.see(nowMs)
      const window = { minute, count }
      return isPeek ? seen(perMinute, window, null) : decide({ nowMs, perMinute, window, quota: null, units })
    }
    const script = isPeek ? scripts.peekByKey : scripts.consumeByKey
    const view = await this.#viewKey(script, subject.digest, units)
    if (!view) return { outcome: 'unknown_key' }
    const { nowMs, plan, window, quota, isCounted } = view
    if (isPeek) return seen(plan.perMinute, window, quota)
    const decision = decide({ nowMs, perMinute: plan.perMinute, window, quota, units })
    if (isCounted !== (decision.outcome === 'admitted' && decision.receipt !== null)) {
      throw new Error(`the script ${isCounted ? 'counted' : 'did not count'} what was ${decision.outcome}`)
    }
    return decision
  }

  /** Runs a script on a key. Undefined if it is not in force. */
  async #viewKey(script: Script, digest: string, units: 0 | 1) {
    const known = this.#places.get(digest)
    const view = known && (await this.#viewAccount(script, known.account, known.names, units))
    if (view) return view
    // Not cached, or not in force at the cached place: its account may have been renamed.
    const place = await this.#findKey(digest)
    if (!place || place.account === known?.account) return undefined
    return await this.#viewAccount(script, place.account, place.names, units)
  }

  /**
   * Finds where a key is stored, and in the same round trip whether Redis still holds the store.
   */
  async #findKey(digest: string): Promise<KeyPlace | undefined> {
    const [pointer] = await Promise.all([
      this.#redis.command('GET', names.digestPointer(digest)),
      this.#redis.checkStore(),
    ])
    // Not cached: an unknown key may be created at any time.
    if (pointer === null) return undefined
    // `<keyId> <account>`: an id has no blanks.
    const [, keyId, account] = /^(\S+) (.*)$/s.exec(pointer as string) as unknown as [string, string, string]
    const { accountRecord, periods, keyRecord, keyWindow } = names
    const inSlot = [
      accountRecord(account),
      periods(account),
      keyRecord(account, keyId),
      keyWindow(account, keyId),
    ]
    const place = { keyId, account, names: inSlot }
    this.#places.set(digest, place)
    return place
  }

  /**
   * Runs a script on an account's period in force. Undefined if account or key are not in force.
   */
  async #viewAccount(script: Script, account: string, keys: readonly string[], units: 0 | 1) {
    // A period ends once a month: a third answer of this kind would be a fault.
    const { plans, args: planArgs } = this.#plans
    for (let attempt = 0; attempt < 3; attempt++) {
      const known = this.#periods.get(account) ?? noPeriod
      const args = [this.#now(), ...known.args, String(units), ...planArgs]
      const [word, ...rest] = (await this.#redis.run(script, keys, args)) as [string, ...unknown[]]
      if (word === 'met') {
        const [nowMs, planIndex, minute, count, requests, counted] = rest as Met
        this.#watch.see(nowMs)
        const plan = plans[planIndex]!
        const record = { account, plan: plan.name, createdAtMs: known.createdAtMs }
        // Without the unit that the script may have counted.
        const quota = quotaState(record, plan, known, requests)
        return { nowMs, plan, window: { minute, count }, quota, isCounted: counted === 1 }
      }
      if (word === 'nothing') return undefined
      if (word === 'unknown_plan') throw new UnknownPlan(account, rest[0] as string)
      const [createdAtMs, atMs] = rest as [number, number]
      const { startMs, endMs } = periodHolding(createdAtMs, atMs)
      const sent = [createdAtMs, startMs, endMs].map(String)
      this.#periods.set(account, { createdAtMs, startMs, endMs, args: sent })
    }
    throw new StoreUnavailable(`the period of the account "${account}" changed three times in a row`)
  }
}
