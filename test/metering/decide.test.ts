import { describe, expect, test } from 'vitest'
import { decide, windowState } from '#metering/decide.ts'
import type { QuotaState } from '#metering/store.ts'

const quota: QuotaState = {
  account: 'ann',
  plan: 'trial',
  periodStartMs: 0,
  periodEndMs: 1_000_000,
  requests: 19,
  limit: 20,
  perMinute: 60,
}
const window = { minute: 0, count: 60 }
const request = { nowMs: 30_000, perMinute: 60, window, quota, units: 1 as const }

describe('the window', () => {
  test('admits the request that spends its last place', () => {
    expect(decide(request)).toMatchObject({
      outcome: 'admitted',
      window: { limit: 60, remaining: 0, resetAtS: 60 },
    })
  })

  test('refuses the next, and is asked before the quota', () => {
    const spent = { ...request, window: { minute: 0, count: 61 }, quota: { ...quota, requests: 20 } }
    expect(decide(spent)).toMatchObject({ outcome: 'rate_limited', retryAfterS: 30, quota: { requests: 20 } })
  })

  test('never shows less than nothing left', () => {
    expect(windowState(60, { minute: 0, count: 75 }).remaining).toBe(0)
  })
})

describe('the quota', () => {
  test('gives its last unit, with a receipt', () => {
    expect(decide(request)).toMatchObject({
      outcome: 'admitted',
      quota: { requests: 20 },
      receipt: { account: 'ann', periodStartMs: 0 },
    })
  })

  test('refuses the next until the period ends', () => {
    const spent = { ...request, quota: { ...quota, requests: 20 } }
    expect(decide(spent)).toMatchObject({
      outcome: 'quota_exceeded',
      retryAfterS: 970,
      quota: { requests: 20 },
    })
  })

  test('of nothing refuses the first', () => {
    const none = { ...request, quota: { ...quota, requests: 0, limit: 0 } }
    expect(decide(none)).toMatchObject({ outcome: 'quota_exceeded' })
  })

  test('is not asked for a request without a unit', () => {
    const spent = { ...quota, requests: 20 }
    expect(decide({ ...request, quota: spent, units: 0 })).toMatchObject({
      outcome: 'admitted',
      quota: spent,
      receipt: null,
    })
  })

  test('of an uncapped plan always gives', () => {
    const uncapped = { ...request, quota: { ...quota, requests: 1_000_000, limit: null } }
    expect(decide(uncapped)).toMatchObject({ outcome: 'admitted', quota: { requests: 1_000_001 } })
  })
})

describe('the wait', () => {
  test.each([
    [30_000, 30],
    [30_001, 30],
    [59_001, 1],
    [59_999, 1],
  ])('at %i ms is %i s: rounded up, at least one', (nowMs, retryAfterS) => {
    expect(decide({ ...request, nowMs, window: { minute: 0, count: 61 } })).toMatchObject({ retryAfterS })
  })
})
