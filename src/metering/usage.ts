import { toDate } from '#contract/dates.ts'
import type { Usage } from '#contract/usage.ts'
import type { QuotaState } from './store.ts'

/** A period → the Usage record (spec 2). */
export function toUsage(quota: QuotaState): Usage {
  return {
    plan: quota.plan,
    periodStart: toDate(quota.periodStartMs),
    periodEnd: toDate(quota.periodEndMs),
    requests: quota.requests,
    limit: quota.limit,
    rateLimitPerMinute: quota.perMinute,
  }
}
