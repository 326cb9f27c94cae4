import { clockToleranceMs } from './clock-steps.ts'

/**
 * A billing period, from `startMs` up to but not including `endMs`: milliseconds since the epoch.
 */
export interface Period {
  startMs: number
  endMs: number
}

/**
 * Returns the billing period that contains an instant. Periods are calendar months in UTC, counted
 * from the creation of the account (contract 1.3). All times are milliseconds since the epoch.
 *
 * Every boundary is the anchor plus n months, clamped to the length of the month: 31 Jan → 28 Feb →
 * 31 Mar. Adding a month to the last boundary would stay on the 28th. An instant before the anchor
 * belongs to the first period.
 *
 * @throws {RangeError} a boundary is out of the range of Temporal
 */
export function periodHolding(anchorMs: number, instantMs: number): Period {
  const anchor = inUtc(anchorMs)
  const boundaryMs = (months: number) => anchor.add({ months }).epochMilliseconds
  const instant = inUtc(instantMs)
  // By the calendar, whatever the days: from 31 Jan to 1 Feb is one month.
  let months = Math.max(0, (instant.year - anchor.year) * 12 + instant.month - anchor.month)
  if (months > 0 && boundaryMs(months) > instantMs) months--
  return { startMs: boundaryMs(months), endMs: boundaryMs(months + 1) }
}

/**
 * Returns the period of an account that is in force: the one that contains the instant or, if the
 * clock has just stepped back, the later one with the last count.
 *
 * @param latestMs the start of the period with the last count; null if there is none
 * @param known a period of the account, which saves computing it
 */
export function periodInForce(
  createdAtMs: number,
  latestMs: number | null,
  nowMs: number,
  known?: Period,
): Period {
  const isReached = latestMs !== null && latestMs - nowMs < clockToleranceMs
  const instantMs = Math.max(nowMs, createdAtMs, isReached ? latestMs : 0)
  const isKnown = known && instantMs >= known.startMs && instantMs < known.endMs
  return isKnown ? known : periodHolding(createdAtMs, instantMs)
}

function inUtc(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC')
}
