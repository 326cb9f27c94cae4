import { expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { quotaExceeded } from '#proxy/http/refusals.ts'

test('the start of the next period is formatted as Intl formats it in British English', () => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  for (let i = 0; i < 1_000; i++) {
    const endMs = Date.UTC(2026, 0, 1) + i * 30_000_000_061
    const quota = { account: 'a', plan: defaultPlans[0]!, period: { startMs: 0, endMs }, requests: 20 }
    expect(quotaExceeded(quota, 1).message).toContain(`begins on ${format.format(endMs)} UTC.`)
  }
})
