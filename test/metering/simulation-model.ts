import type { Plan } from '#contract/plans.ts'
import type { KeyRecord } from '#metering/account-record.ts'
import type { Decision, QuotaState, Receipt } from '#metering/store.ts'

/** Small numbers, so that limits are reached. */
export const simulatedPlans: readonly Plan[] = [
  { name: 'tiny', perPeriod: 4, perMinute: 3 },
  { name: 'small', perPeriod: 9, perMinute: 6 },
  { name: 'steady', perPeriod: 6, perMinute: 1000 },
  { name: 'brisk', perPeriod: null, perMinute: 5 },
  { name: 'open', perPeriod: null, perMinute: 1000 },
]

/** A plan that no process knows, but on which an account may be put. */
export const lostPlan = 'lost'

/** The requests per minute of every client address. */
export const addressLimit = 4

/** The subject of a request: a key or an address, by its name. */
export type Who = { key: string } | { address: string }

/** A request to the counters; a process settles the requests of one turn together. */
export type Ask =
  | { verb: 'consume'; who: Who; units: 0 | 1 }
  | { verb: 'peek'; who: Who }
  | { verb: 'giveBack'; receipt: Receipt }

/** A change of accounts and keys, each separately. */
export type Change =
  | { verb: 'setPlan'; account: string; plan: string }
  | { verb: 'setEnabled'; key: string; enabled: boolean }
  | { verb: 'addKey'; account: string; key: string }
  | { verb: 'rotate'; key: string; next: string; overlapMs: number }

/** The outcome of a call: a decision, that the request cannot be metered, or nothing. */
export type Answer = Decision | 'unavailable' | undefined

export interface View {
  keys: Pick<KeyRecord, 'keyId' | 'account' | 'plan' | 'enabled' | 'expiresAtMs'>[]
  /** As a peek returns them, keys first. */
  windows: (Decision | 'unavailable')[]
  quotas: (QuotaState | 'unavailable')[]
  /** Account, start of the period and units. */
  counted: string[]
}

/** Their order in a view, because the order of creation depends on the clocks of processes. */
export function byKeyId(a: { keyId: string }, b: { keyId: string }): number {
  return a.keyId < b.keyId ? -1 : 1
}

type Window = { minute: number; count: number }

interface Account {
  id: string
  plan: string
  createdAtMs: number
  /** The units, keyed by the start of their period. */
  counted: Map<number, number>
}

type Key = { account: string; enabled: boolean; expiresAtMs: number | null; window: Window }

/** The intended meter (contract 1.3): one process, one call after another, without any fault. */
export class Model {
  readonly accounts = new Map<string, Account>()
  readonly keys = new Map<string, Key>()
  readonly addresses = new Map<string, Window>()

  clone(): Model {
    const copy = new Model()
    for (const [name, account] of this.accounts)
      copy.accounts.set(name, { ...account, counted: new Map(account.counted) })
    for (const [name, key] of this.keys) copy.keys.set(name, { ...key, window: { ...key.window } })
    for (const [name, window] of this.addresses) copy.addresses.set(name, { ...window })
    return copy
  }

  settle(call: Ask | Change, nowMs: number): Answer {
    if (call.verb === 'consume') return this.#decide(call.who, call.units, nowMs)
    if (call.verb === 'peek') return this.#decide(call.who, null, nowMs)
    if (call.verb === 'giveBack') this.#giveBack(call.receipt)
    else if (call.verb === 'setPlan') this.accounts.get(call.account)!.plan = call.plan
    else if (call.verb === 'setEnabled') this.keys.get(call.key)!.enabled = call.enabled
    else if (call.verb === 'addKey') this.addKey(call.key, call.account)
    else this.#rotate(call.key, call.next, nowMs + call.overlapMs)
    return undefined
  }

  addKey(key: string, account: string): void {
    this.keys.set(key, { account, enabled: true, expiresAtMs: null, window: { minute: 0, count: 0 } })
  }

  /** Returns the period in force; `unavailable` if the account's plan is lost. */
  quota(name: string, nowMs: number): QuotaState | 'unavailable' {
    const account = this.accounts.get(name)!
    const plan = simulatedPlans.find((each) => each.name === account.plan)
    if (!plan) return 'unavailable'
    const { start, end } = periodOf(account.createdAtMs, Math.max(nowMs, ...account.counted.keys()))
    const requests = account.counted.get(start) ?? 0
    return { account: name, accountId: account.id, plan, period: { startMs: start, endMs: end }, requests }
  }

  /** Returns the same for models that will always give the same answers. */
  fingerprint(): string {
    const accounts = [...this.accounts].map(([name, { plan, counted }]) => [
      name,
      plan,
      [...counted].sort((a, b) => a[0] - b[0]),
    ])
    return JSON.stringify([accounts, [...this.keys], [...this.addresses]])
  }

  /** Returns everything that is visible in a store, by which two models can be distinguished. */
  view(nowMs: number): View {
    const keys = [...this.keys].map(([keyId, { account, enabled, expiresAtMs }]) => {
      return { keyId, account, plan: this.accounts.get(account)!.plan, enabled, expiresAtMs }
    })
    keys.sort(byKeyId)
    const whos = keys.map(({ keyId }): Who => ({ key: keyId }))
    const places = [...this.addresses.keys()].map((address): Who => ({ address }))
    return {
      keys,
      windows: [...whos, ...places].map((who) => this.#decide(who, null, nowMs)),
      quotas: [...this.accounts.keys()].map((account) => this.quota(account, nowMs)),
      counted: [...this.accounts].flatMap(([account, { counted }]) =>
        [...counted]
          .filter(([, units]) => units > 0)
          .map(([startMs, units]) => `${account} ${startMs} ${units}`)
          .sort(),
      ),
    }
  }

  /** The ten lines: the minute window first, then the quota. If `units` is null, it only looks. */
  #decide(who: Who, units: 0 | 1 | null, nowMs: number): Decision | 'unavailable' {
    const key = 'key' in who ? this.keys.get(who.key) : null
    if (key === undefined || (key && !isInForce(key, nowMs))) return { outcome: 'unknown_key' }
    const quota = key && this.quota(key.account, nowMs)
    if (quota === 'unavailable') return quota
    const limit = quota?.plan.perMinute ?? addressLimit
    const { minute, count } = takePlace(this.#windowOf(who), units === null ? 0 : 1, nowMs)
    const window = { limit, remaining: Math.max(0, limit - count), resetAtS: minute * 60 + 60 }
    const retryAfterS = (endMs: number) => Math.max(1, Math.ceil((endMs - nowMs) / 1000))
    if (units !== null && count > limit)
      return { outcome: 'rate_limited', window, quota, retryAfterS: retryAfterS(window.resetAtS * 1000) }
    if (!units || !quota) return { outcome: 'admitted', window, quota, receipt: null }
    const { account, accountId, plan, period } = quota
    if (plan.perPeriod !== null && quota.requests >= plan.perPeriod)
      return { outcome: 'quota_exceeded', window, quota, retryAfterS: retryAfterS(period.endMs) }
    const periodStartMs = period.startMs
    const keyId = (who as { key: string }).key
    this.accounts.get(account)!.counted.set(periodStartMs, ++quota.requests)
    return { outcome: 'admitted', window, quota, receipt: { accountId, keyId, periodStartMs } }
  }

  #windowOf(who: Who): Window {
    if ('key' in who) return this.keys.get(who.key)!.window
    const window = this.addresses.get(who.address) ?? { minute: 0, count: 0 }
    this.addresses.set(who.address, window)
    return window
  }

  #rotate(key: string, next: string, expiresAtMs: number): void {
    const old = this.keys.get(key)!
    old.expiresAtMs = Math.min(old.expiresAtMs ?? Infinity, expiresAtMs)
    this.addKey(next, old.account)
  }

  #giveBack({ accountId, periodStartMs }: Receipt): void {
    const { counted } = [...this.accounts.values()].find(({ id }) => id === accountId)!
    counted.set(periodStartMs, Math.max(0, counted.get(periodStartMs)! - 1))
  }
}

function isInForce(key: Key, nowMs: number): boolean {
  return key.enabled && (key.expiresAtMs === null || nowMs < key.expiresAtMs)
}

/**
 * Returns the window in force, which is never earlier than the last one. With 0 places, the last
 * one does not change.
 */
function takePlace(last: Window, places: 0 | 1, nowMs: number): Window {
  const minute = Math.floor(nowMs / 60_000)
  const inForce = { minute, count: minute > last.minute ? places : last.count + places }
  return places === 1 ? Object.assign(last, inForce) : inForce
}

/**
 * Returns the month that contains an instant, counted from the anchor and clamped to short months.
 * An instant before the anchor is in the first month.
 */
export function periodOf(anchorMs: number, instantMs: number): { start: number; end: number } {
  let months = 0
  while (monthAfter(anchorMs, months + 1) <= instantMs) months++
  return { start: monthAfter(anchorMs, months), end: monthAfter(anchorMs, months + 1) }
}

function monthAfter(anchorMs: number, months: number): number {
  const anchor = new Date(anchorMs)
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)) + (anchorMs % 86_400_000)
}
