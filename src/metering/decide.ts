import type { Plan } from '#contract/plans.ts'
import type { AccountRecord } from './account-record.ts'
import type { Period } from './period.ts'
import type { Decision, QuotaState, WindowState } from './store.ts'
import { resetAtS, type WindowCount } from './window.ts'

/**
 * A window as callers see it. `remaining` is never below 0, although refused requests are counted,
 * too.
 */
function windowState(perMinute: number, window: WindowCount): WindowState {
  return {
    limit: perMinute,
    remaining: Math.max(0, perMinute - window.count),
    resetAtS: resetAtS(window.minute),
  }
}

/** An account's period as callers see it, with the units counted in it. */
export function quotaState(
  { account }: Pick<AccountRecord, 'account'>,
  plan: Plan,
  period: Period,
  requests: number,
): QuotaState {
  return {
    account,
    plan: plan.name,
    periodStartMs: period.startMs,
    periodEndMs: period.endMs,
    requests,
    limit: plan.perPeriod,
    perMinute: plan.perMinute,
  }
}

/** The answer to a peek, whatever is left. */
export function seen(perMinute: number, window: WindowCount, quota: QuotaState | null): Decision {
  return { outcome: 'admitted', window: windowState(perMinute, window), quota, receipt: null }
}

/** What a decision depends on. */
export interface Case {
  nowMs: number
  perMinute: number
  /** Includes the place that this request spends. */
  window: WindowCount
  /** Does not include the unit that this request asks for; null for an address. */
  quota: QuotaState | null
  /** For the receipt. */
  keyId?: string | undefined
  units: 0 | 1
}

/**
 * Decides a request: the minute window first, then the quota. If the answer has a receipt, its
 * `quota` includes the unit, and the store must count it before it answers.
 */
export function decide({ nowMs, perMinute, window: spent, quota, keyId, units }: Case): Decision {
  const window = windowState(perMinute, spent)
  if (spent.count > perMinute) {
    return {
      outcome: 'rate_limited',
      window,
      quota,
      retryAfterS: wholeSeconds(window.resetAtS * 1000 - nowMs),
    }
  }
  if (quota === null || units === 0) return { outcome: 'admitted', window, quota, receipt: null }
  if (quota.limit !== null && quota.requests >= quota.limit) {
    return { outcome: 'quota_exceeded', window, quota, retryAfterS: wholeSeconds(quota.periodEndMs - nowMs) }
  }
  return {
    outcome: 'admitted',
    window,
    quota: { ...quota, requests: quota.requests + 1 },
    receipt: { account: quota.account, keyId, periodStartMs: quota.periodStartMs },
  }
}

/**
 * Rounds up to at least 1, so that a client that waits this long is past the roll-over. Retry-After
 * has whole seconds (RFC 9110 section 10.2.3).
 */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
