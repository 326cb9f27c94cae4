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
 * Parses a calendar month in UTC, and returns it in milliseconds since the Unix epoch.
 *
 * @throws {RangeError} it does not have the form YYYY-MM
 */
export function parseMonth(text: string) {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined)
    throw new RangeError(`cannot read the month "${text}": it must have the form YYYY-MM, such as 2026-10`)
  return { startMs: Date.UTC(Number(year), Number(month) - 1), endMs: Date.UTC(Number(year), Number(month)) }
}

/** Converts a period to the Usage record (spec 2). */
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
 * Returns what the owner of a key may know about its account; null if the key is not valid.
 *
 * @throws {StoreUnavailable}
 */
export async function usageOfKey({ counters }: MeterStore, key: string): Promise<Usage | null> {
  const decision = await counters.peek({ kind: 'key', digest: keyDigest(key) })
  return decision.outcome === 'unknown_key' ? null : toUsage(decision.quota!)
}

/**
 * Returns the Usage record of an account, which may be deleted: for its period in force, as in GET
 * /usage, or for the period that started in `month`.
 *
 * @throws {NotThere} no such account, or no period of it began in that month
 */
export async function usage(context: AdminContext, account: string, month?: Month): Promise<Usage> {
  return toUsage((await findPeriod(context, account, month)).quota)
}

async function findPeriod(context: AdminContext, account: string, month: Month | undefined) {
  const { directory } = context.store
  const name = accountName(account)
  if (!month) return { account: await directory.account(name), quota: await directory.quota(name) }
  const histories = await Array.fromAsync(directory.histories(name))
  if (histories.length === 0) throw new NotThere(`there is no account "${name}"`)
  // The account that has the name now is the last.
  for (const history of histories.reverse()) {
    const quota = await quotaIn(context, history, month)
    if (quota) return { account: history, quota }
  }
  throw new NotThere(`the account "${name}" has no period that began in that month`)
}

/**
 * Returns the Usage record of every account, in the order of creation: for its period in force, or
 * for the one that started in `month`, including deleted accounts. An account without such a period
 * is left out.
 *
 * @throws {Error} an account is on a plan that the plans lack
 */
export async function usageOfAll(context: AdminContext, month?: Month) {
  const report: ({ account: string } & Usage)[] = []
  for await (const history of context.store.directory.histories()) {
    const quota = await quotaIn(context, history, month)
    if (quota) report.push({ account: history.account, ...toUsage(quota) })
  }
  return report
}

/**
 * Returns the units of each key of an account, which may be deleted, in its period in force or in
 * the one that started in `month`, in the order of creation.
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
 * Returns the period in force or, with a month, the one that started in it. A past period has the
 * plan and the limits that were last in force in it.
 */
async function quotaIn(
  { store }: AdminContext,
  { id, account, createdAtMs, deletedAtMs, periods }: AccountHistory,
  month: Month | undefined,
): Promise<QuotaState | null> {
  const isDeleted = deletedAtMs !== null
  if (!month) return isDeleted ? null : await store.directory.quota(account)
  // One period starts in each calendar month, from the creation on.
  const period = periodHolding(createdAtMs, month.endMs - 1)
  if (period.startMs >= month.endMs) return null
  const nowMs = await store.records.now()
  // A past period does not need its plan, which may no longer exist.
  if (!isDeleted && nowMs < period.endMs) {
    const inForce = await store.directory.quota(account)
    if (period.startMs === inForce.period.startMs) return inForce
  }
  const last = periods.findLast(({ startMs }) => startMs <= period.startMs)
  const isCounted = last?.startMs === period.startMs
  if (!last?.plan || (!isCounted && period.startMs > (deletedAtMs ?? nowMs))) return null
  return { account, accountId: id, plan: last.plan, period, requests: isCounted ? last.requests : 0 }
}
