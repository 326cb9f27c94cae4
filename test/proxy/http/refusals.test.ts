import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { quotaExceeded } from '#proxy/http/refusals.ts'

const [plan] = defaultPlans

function messageAt(endMs: number): string {
  return quotaExceeded({ account: 'ana', plan: plan!, period: { startMs: 0, endMs }, requests: 1 }, 1).message
}

test('the refusal for a used-up quota names the minute in which the next period begins', () => {
  expect(messageAt(Date.UTC(2026, 11, 1))).toMatch(
    / The next period begins on 1 December 2026 at 00:00 UTC\.$/,
  )
})

test('writes every date as in British English', () => {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  const day = { min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(day), (date) => {
      expect(messageAt(date.getTime())).toContain(`begins on ${format.format(date)} UTC.`)
    }),
    { numRuns: 500 },
  )
})
