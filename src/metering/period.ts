/** A billing period: from `startMs` up to but not including `endMs`, in milliseconds since the Unix epoch. */
export interface Period {
  startMs: number
  endMs: number
}

/**
 * The billing period that holds an instant: calendar months in UTC, counted from the account's creation (contract 1.3).
 *
 * Every boundary is the anchor plus n months, clamped to the length of its month: 31 Jan → 28 Feb → 31 Mar. Adding month
 * upon month would stay on the 28th for good. An instant before the anchor belongs to the first period. All in milliseconds.
 *
 * @throws {RangeError} where a boundary lies outside what Temporal can show
 */
export function periodHolding(anchorMs: number, instantMs: number): Period {
  const anchor = inUtc(anchorMs)
  const boundaryMs = (months: number) => anchor.add({ months }).epochMilliseconds
  let months = Math.max(0, calendarMonthsBetween(anchor, inUtc(instantMs)))
  if (months > 0 && boundaryMs(months) > instantMs) months--
  return { startMs: boundaryMs(months), endMs: boundaryMs(months + 1) }
}

function inUtc(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC')
}

/** Months on the calendar, days left aside: 31 Jan to 1 Feb is one. */
function calendarMonthsBetween(from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime): number {
  return (to.year - from.year) * 12 + to.month - from.month
}
