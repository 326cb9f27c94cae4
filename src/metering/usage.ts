import { toDate } from '#contract/dates.ts'
import type { Usage } from '#contract/usage.ts'
import { accountName } from './account-name.ts'
import type { AdminContext } from './administer.ts'
import { NotThere, type AccountHistory } from './directory.ts'
import { keyDigest } from './key.ts'
import type { MeterStore } from './meter-store.ts'
import type { QuotaState } from './store.ts'
import { periodHolding } from './period.ts'

type Month = ReturnType<typeof parseMonth>

/**
 * A month of the calendar, in UTC, in milliseconds since the Unix epoch.
 *
 * @throws {RangeError} not of the form YYYY-MM
 */
export function parseMonth(text: string) {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined)
    throw new RangeError(`cannot read the month "${text}": it must have the form YYYY-MM, such as 2026-10`)
  return { startMs: Date.UTC(Number(year), Number(month) - 1), endMs: Date.UTC(Number(year), Number(month)) }
}

/** A period → the Usage record (spec 2). */
export function toUsage({ plan, period, requests }: QuotaState): Usage {
  return {
    plan: plan.name,
    periodStart: toDate(period.startMs),
    periodEnd: toDate(period.endMs),
    requests,
    limit: plan.perPeriod,
    rateLimitPerMinute: plan.perMinute,
  }
}

/**
 * What the holder of a key may know of its account: null if the key is not in force.
 *
 * @throws {StoreUnavailable}
 */
export async function usageOfKey({ counters }: MeterStore, key: string): Promise<Usage | null> {
  const decision = await counters.peek({ kind: 'key', digest: keyDigest(key) })
  return decision.outcome === 'unknown_key' ? null : toUsage(decision.quota!)
}

/**
 * The Usage record of an account: of its period in force, as GET /usage gives it, or of the period
 * that began in `month`, also of an account that was deleted.
 *
 * @throws {Error} no such account, or no period of it began in that month
 */
export async function usage(context: AdminContext, account: string, month?: Month): Promise<Usage> {
  return toUsage((await findPeriod(context, account, month)).quota)
}

async function findPeriod(context: AdminContext, account: string, month: Month | undefined) {
  const { directory } = context.store
  const name = accountName(account)
  if (!month) return { account: await directory.account(name), quota: await directory.quota(name) }
  const histories = await Array.fromAsync(directory.histories(name))
  if (histories.length === 0) throw new NotThere('account', name)
  // The account that has the name now is the last.
  for (const history of histories.reverse()) {
    const quota = await quotaIn(context, history, month)
    if (quota) return { account: history, quota }
  }
  throw new Error(`the account "${name}" has no period that began in that month`)
}

/**
 * The Usage record of every account, in the order of creation: of its period in force, or of the
 * one that began in `month`, also of accounts that were deleted. An account without one is left
 * out.
 *
 * @throws {Error} an account is on a plan that the plans lack
 */
export async function usageOfAll(context: AdminContext, month?: Month) {
  const report: ({ account: string } & Usage)[] = []
  for await (const history of context.store.directory.histories()) {
    const { account, deletedAtMs } = history
    const isShown = month !== undefined || deletedAtMs === null
    const quota = isShown ? await quotaIn(context, history, month) : null
    if (quota) report.push({ account, ...toUsage(quota) })
  }
  return report
}

/**
 * The units that each key of an account spent in its period in force, or in the one that began in
 * `month`, in the order of creation, also of an account that was deleted.
 *
 * @throws {Error} no such account, or no period of it began in that month
 */
export async function usageByKey(context: AdminContext, name: string, month?: Month) {
  const { account, quota } = await findPeriod(context, name, month)
  const units = account.keys.map(async ({ keyId, name }) => {
    const { periods } = await context.store.records.counts(account.id, keyId)
    const currentPeriod = periods.find(({ startMs }) => startMs === quota.period.startMs)
    return { keyId, name, requests: currentPeriod?.requests ?? 0 }
  })
  return await Promise.all(units)
}

/**
 * The period in force, or the one that began in a month. A past period has the plan and the limits
 * that were last in force in it.
 */
async function quotaIn(
  { store }: AdminContext,
  { account, createdAtMs, deletedAtMs, periods }: AccountHistory,
  month: Month | undefined,
): Promise<QuotaState | null> {
  const isDeleted = deletedAtMs !== null
  if (!month) return isDeleted ? null : await store.directory.quota(account)
  // One period begins in each month of the calendar, from that of the creation on.
  const period = periodHolding(createdAtMs, month.endMs - 1)
  if (period.startMs < month.startMs || period.startMs >= month.endMs) return null
  const nowMs = await store.records.now()
  // Not of a past period: the plan that is in force now may be gone.
  if (!isDeleted && nowMs < period.endMs) {
    const inForce = await store.directory.quota(account)
    if (period.startMs === inForce.period.startMs) return inForce
  }
  const last = periods.findLast(({ startMs }) => startMs <= period.startMs)
  const isCounted = last?.startMs === period.startMs
  if (!last?.plan || (!isCounted && period.startMs > (deletedAtMs ?? nowMs))) return null
  return { account, plan: last.plan, period, requests: isCounted ? last.requests : 0 }
}
