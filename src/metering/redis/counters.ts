import { LRUCache } from 'lru-cache'
import type { Plan } from '#contract/plans.ts'
import { ClockWatch } from '../clock-steps.ts'
import { decide, quotaState, seen } from '../decide.ts'
import { cacheLimit, type AccountPeriods } from './account-periods.ts'
import type { RedisConnection } from './connection.ts'
import * as names from './keys.ts'
import * as scripts from './counter-scripts.ts'
import type { Script } from './script.ts'
import type { Counters, Decision, MeterOptions, OnCalled, QuotaState, Receipt, Subject } from '../store.ts'
import { UnknownPlan } from '../plan-table.ts'

/**
 * Where a key is stored, as long as its account exists. Whether it is in force is read each time.
 */
interface KeyPlace {
  keyId: string
  /** The id of its account. */
  id: string
  /** In the order of the scripts: account, periods, key, window. */
  names: readonly string[]
}

/** What a script answers on a period that is in force. */
type Met = [
  account: string,
  nowMs: number,
  plan: number,
  minute: number,
  count: number,
  requests: number,
  counted?: number,
]

/** Windows and periods in Redis. Each call is one script, which Redis runs atomically. */
export class RedisCounters implements Counters {
  onCalled: OnCalled | undefined
  readonly #redis: RedisConnection
  readonly #periods: AccountPeriods
  #plans!: readonly Plan[]
  /** As arguments of the scripts, whose answers name a plan by its index. */
  #planArgs!: readonly string[]
  readonly #now: () => string
  readonly #watch: ClockWatch
  /** By the digest of the key. */
  readonly #places = new LRUCache<string, KeyPlace>(cacheLimit)

  /** @param now the time in milliseconds, or empty: the server's own */
  constructor(
    redis: RedisConnection,
    periods: AccountPeriods,
    { plans, log }: MeterOptions,
    now: () => string,
  ) {
    this.#redis = redis
    this.#periods = periods
    this.usePlans(plans)
    this.#now = now
    this.#watch = new ClockWatch(log)
  }

  usePlans(plans: readonly Plan[]): void {
    this.#plans = plans
    this.#planArgs = plans.flatMap(({ name, perPeriod, perMinute }) => [
      name,
      String(perPeriod ?? ''),
      String(perMinute),
    ])
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

  async giveBack({ account, keyId = '', periodStartMs }: Receipt): Promise<void> {
    const giveBack = async () => {
      const id = (await this.#redis.command('GET', names.namePointer(account))) as string | null
      if (id !== null)
        await this.#redis.run(
          scripts.giveBackUnit,
          [names.periods(id), names.keyRecord(id, keyId)],
          [String(periodStartMs)],
        )
    }
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

  /** The period in force of the account with this id. */
  async quota(id: string): Promise<QuotaState | null> {
    const keys = [names.accountRecord(id), names.periods(id)]
    return (await this.#viewAccount(scripts.readQuota, id, keys, 0))?.quota ?? null
  }

  async #decide(subject: Subject, verb: 'consume' | 'peek', units: 0 | 1): Promise<Decision> {
    const isPeek = verb === 'peek'
    if (subject.kind === 'address') {
      const { address, perMinute } = subject
      const script = isPeek ? scripts.peekByAddress : scripts.consumeByAddress
      const [reply] = await Promise.all([
        this.#redis.run(script, [names.addressWindow(address)], [this.#now()]),
        // In an emptied Redis, every address looks new: readiness must see that the store is gone.
        isPeek && this.#redis.checkStore(),
      ])
      const [nowMs, minute, count] = reply as [number, number, number]
      this.#watch.see(nowMs)
      const window = { minute, count }
      return isPeek ? seen(perMinute, window, null) : decide({ nowMs, perMinute, window, quota: null, units })
    }
    const script = isPeek ? scripts.peekByKey : scripts.consumeByKey
    const view = await this.#viewKey(script, subject.digest, units)
    if (!view) return { outcome: 'unknown_key' }
    const { nowMs, plan, window, quota, isCounted } = view
    const keyId = this.#places.get(subject.digest)!.keyId
    if (isPeek) return seen(plan.perMinute, window, quota)
    const decision = decide({ nowMs, perMinute: plan.perMinute, window, quota, keyId, units })
    if (isCounted !== (decision.outcome === 'admitted' && decision.receipt !== null)) {
      throw new Error(`the script ${isCounted ? 'counted' : 'did not count'} what was ${decision.outcome}`)
    }
    return decision
  }

  /** Runs a script on a key. Undefined if it is not in force. */
  async #viewKey(script: Script, digest: string, units: 0 | 1) {
    const known = this.#places.get(digest)
    const view = known && (await this.#viewAccount(script, known.id, known.names, units))
    if (view) return view
    const place = await this.#findKey(digest)
    if (!place || place.id === known?.id) return undefined
    return await this.#viewAccount(script, place.id, place.names, units)
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
    const [keyId, id] = (pointer as string).split(' ') as [string, string]
    const { accountRecord, periods, keyRecord, keyWindow } = names
    const inSlot = [accountRecord(id), periods(id), keyRecord(id, keyId), keyWindow(id, keyId)]
    const place = { keyId, id, names: inSlot }
    this.#places.set(digest, place)
    return place
  }

  /**
   * Runs a script on an account's period in force. Undefined if account or key are not in force.
   */
  async #viewAccount(script: Script, id: string, keys: readonly string[], units: 0 | 1) {
    const plans = this.#plans
    const answer = await this.#periods.run(script, id, keys, [String(units), ...this.#planArgs])
    if (!answer) return undefined
    const { word, reply, period } = answer
    if (word === 'unknown_plan') throw new UnknownPlan(...(reply as [string, string]))
    const [account, nowMs, planIndex, minute, count, requests, counted] = reply as Met
    this.#watch.see(nowMs)
    const plan = plans[planIndex]!
    // Without the unit that the script may have counted.
    const quota = quotaState({ account }, plan, period, requests)
    return { nowMs, plan, window: { minute, count }, quota, isCounted: counted === 1 }
  }
}
