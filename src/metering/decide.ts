import type { Decision, QuotaState } from './store.ts'
import { resetAtS, type WindowCount } from './window.ts'

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
export function decide({ nowMs, perMinute, window: { minute, count }, quota, keyId, units }: Case): Decision {
  // The window also counts the requests that it refused, so the count can exceed the limit.
  const remaining = Math.max(0, perMinute - count)
  const window = { limit: perMinute, remaining, resetAtS: resetAtS(minute) }
  const admission = { outcome: 'admitted', window, quota, receipt: null } as const
  if (units === null) return admission
  if (count > perMinute) {
    const retryAfterS = wholeSeconds(window.resetAtS * 1000 - nowMs)
    return { outcome: 'rate_limited', window, quota, retryAfterS }
  }
  if (quota === null || units === 0) return admission
  const { accountId, plan, period, requests } = quota
  if (plan.perPeriod !== null && requests >= plan.perPeriod) {
    return { outcome: 'quota_exceeded', window, quota, retryAfterS: wholeSeconds(period.endMs - nowMs) }
  }
  const receipt = { accountId, keyId, periodStartMs: period.startMs }
  return { ...admission, quota: { ...quota, requests: requests + 1 }, receipt }
}

/**
 * Rounds up to at least 1, so that the window or the period has ended for a client that waits this
 * many seconds (Retry-After).
 */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
