import { expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { quotaExceeded } from '#proxy/http/refusals.ts'

test('the refusal for a used-up quota names the minute in which the next period begins', () => {
  const period = { startMs: 0, endMs: Date.UTC(2026, 11, 1, 9, 30) }
  const quota = { account: 'ana', accountId: 'a', plan: defaultPlans[0]!, period, requests: 1 }
  const { message } = quotaExceeded(quota, 1)
  expect(message).toMatch(/ The next period begins on 2026-12-01 at 09:30 UTC\.$/)
})
