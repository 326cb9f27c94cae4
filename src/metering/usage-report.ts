import type { Usage } from '#contract/usage.ts'
import { accountName, found, type AdminContext } from './administer.ts'
import { quotaState } from './decide.ts'
import { periodHolding } from './period.ts'
import type { AccountRecord, QuotaState } from './store.ts'
import { PlanTable } from './plan-table.ts'
import { toUsage } from './usage.ts'

/** A line of the report on all accounts. */
export type AccountUsage = { account: string } & Usage

/** A month of the calendar, in UTC, in milliseconds since the Unix epoch. */
export interface Month {
  startMs: number
  endMs: number
}

/** @throws {RangeError} not of the form YYYY-MM */
export function parseMonth(text: string): Month {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  if (year === undefined)
    throw new RangeError(`cannot read the month "${text}": wanted YYYY-MM, as in 2026-10`)
  return { startMs: Date.UTC(Number(year), Number(month) - 1), endMs: Date.UTC(Number(year), Number(month)) }
}

/**
 * The Usage record of an account: of its period in force, as GET /usage gives it, or of the period
 * that began in `month`.
 *
 * @throws {Error} no such account, or no period of it began in that month
 */
export async function usage(context: AdminContext, account: string, month?: Month): Promise<Usage> {
  const name = accountName(account)
  const record = found(await context.store.directory.account(name), 'account', name)
  const quota = await quotaIn(context, record, month)
  if (!quota) throw new Error(`no period of the account "${name}" began in that month`)
  return toUsage(quota)
}

/**
 * The Usage record of every account, in the order of creation: of its period in force, or of the
 * one that began in `month`. An account without one is left out. Limits are those of today's plan.
 *
 * @throws {Error} an account is on a plan that the plans lack
 */
export async function usageOfAll(context: AdminContext, month?: Month): Promise<AccountUsage[]> {
  const report: AccountUsage[] = []
  for (const record of await context.store.directory.accounts()) {
    const quota = await quotaIn(context, record, month)
    if (quota) report.push({ account: record.account, ...toUsage(quota) })
  }
  return report
}

async function quotaIn(
  { store, plans, clock }: AdminContext,
  record: AccountRecord,
  month: Month | undefined,
): Promise<QuotaState | null> {
  const { account, createdAtMs } = record
  if (!month) return await store.directory.quota(account)
  // One period begins in each month of the calendar, from that of the creation on.
  const period = periodHolding(createdAtMs, month.endMs - 1)
  if (period.startMs < month.startMs || period.startMs >= month.endMs) return null
  const counted = (await store.directory.periods(account)).find(({ startMs }) => startMs === period.startMs)
  if (!counted && period.startMs > clock.now()) return null
  const plan = new PlanTable(plans).of(record)
  return quotaState(record, plan, period, counted?.requests ?? 0)
}
