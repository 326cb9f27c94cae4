import type { Decision, QuotaState, WindowState } from './store.ts'
import { resetAtS, type WindowCount } from './window.ts'

/**
 * Returns a window as callers see it. `remaining` is never below 0, although refused requests also
 * count.
 */
function windowState(perMinute: number, window: WindowCount): WindowState {
  return {
    limit: perMinute,
    remaining: Math.max(0, perMinute - window.count),
    resetAtS: resetAtS(window.minute),
  }
}

/**
 * The units that a request uses; null only looks, and does not use a place in the window either.
 */
export type Units = 0 | 1 | null

/** The values that a decision depends on. */
export interface Case {
  nowMs: number
  perMinute: number
  /** Includes the place that this request uses, if any. */
  window: WindowCount
  /** Does not include the unit that this request uses; null for an address. */
  quota: QuotaState | null
  /** Needed for the receipt. */
  keyId?: string | undefined
  units: Units
}

/**
 * Decides a request: the minute window first, then the quota. A request that only looks is always
 * admitted. If the answer has a receipt, its `quota` includes the unit, and the store must count it
 * before it answers.
 */
export function decide({ nowMs, perMinute, window: windowCount, quota, keyId, units }: Case): Decision {
  const window = windowState(perMinute, windowCount)
  const admission = { outcome: 'admitted', window, quota, receipt: null } as const
  if (units === null) return admission
  if (windowCount.count > perMinute) {
    return {
      outcome: 'rate_limited',
      window,
      quota,
      retryAfterS: wholeSeconds(window.resetAtS * 1000 - nowMs),
    }
  }
  if (quota === null || units === 0) return admission
  const { accountId, plan, period, requests } = quota
  if (plan.perPeriod !== null && requests >= plan.perPeriod) {
    return { outcome: 'quota_exceeded', window, quota, retryAfterS: wholeSeconds(period.endMs - nowMs) }
  }
  return {
    outcome: 'admitted',
    window,
    quota: { ...quota, requests: requests + 1 },
    receipt: { accountId, keyId, periodStartMs: period.startMs },
  }
}

/**
 * Rounds up to at least 1, so that a client that waits this long is past the roll-over. Retry-After
 * has whole seconds (RFC 9110 section 10.2.3).
 */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
