import type { DatabaseSync } from 'node:sqlite'
import { clockToleranceMs } from '../clock-steps.ts'
import { periodHolding, type Period } from '../period.ts'
import { preparedFor } from './connection.ts'

/** An account's period in force, as it is in the file. */
export interface PeriodRow {
  period: Period
  /** The row id; null if nothing was counted in the period yet. */
  id: number | bigint | null
  requests: number
  /** The start of the period that was last counted in; null if none was. */
  latestMs: number | null
}

/**
 * Reads the period in force of an account: the one that holds the instant or, if the clock has just
 * stepped back, the later one that was last counted in.
 *
 * @param known a period of the account, which saves computing it
 */
export function readPeriod(
  db: DatabaseSync,
  account: { id: number; createdAtMs: number },
  nowMs: number,
  known?: Period,
): PeriodRow {
  const { createdAtMs } = account
  const period = known && holds(known, nowMs) ? known : periodHolding(createdAtMs, nowMs)
  const stored = statement(db).get(period.startMs, nowMs, period.startMs, account.id)
  const { startMs, ...row } = stored as StoredPeriod
  return { ...row, period: startMs === period.startMs ? period : periodHolding(createdAtMs, startMs) }
}

/** How long a period that was read stays in force, if no other process counts. */
export function validity({ period, latestMs }: PeriodRow): Period {
  if (latestMs === period.startMs) return { startMs: latestMs - clockToleranceMs + 1, endMs: period.endMs }
  const isPast = latestMs === null || latestMs < period.startMs
  const reachedMs = isPast ? Infinity : latestMs - clockToleranceMs + 1
  return { startMs: period.startMs, endMs: Math.min(period.endMs, reachedMs) }
}

export function holds({ startMs, endMs }: Period, instantMs: number): boolean {
  return instantMs >= startMs && instantMs < endMs
}

type StoredPeriod = Omit<PeriodRow, 'period'> & { startMs: number }

/** Parameters: start of the clock's period, now, start of the clock's period, account. */
const statement = preparedFor((db) =>
  db.prepare(`
    SELECT startMs, latest_period_ms AS latestMs, p.id, coalesce(requests, 0) AS requests
    FROM (
      SELECT id, latest_period_ms,
        iif(latest_period_ms > ? AND latest_period_ms - ? < ${clockToleranceMs}, latest_period_ms, ?) AS startMs
      FROM accounts WHERE id = ?
    ) a LEFT JOIN periods p ON p.account_id = a.id AND p.start_ms = startMs`),
)
