import { clockToleranceMs } from './clock-steps.ts'

/** The length of a window: fixed, aligned to the Unix minute (contract 1.3). */
export const windowMs = 60_000

export const dayMs = 86_400_000

/** Returns the number of the day (UTC) that contains an instant, counted from the Unix epoch. */
export function dayOf(instantMs: number): number {
  return Math.floor(instantMs / dayMs)
}

/** The places used in one window. */
export interface WindowCount {
  /** The window's number: whole minutes since the Unix epoch. */
  minute: number
  count: number
}

/** Returns the number of the window that contains an instant, given in milliseconds. */
export function minuteOf(instantMs: number): number {
  return Math.floor(instantMs / windowMs)
}

/** Returns the Unix seconds at which the window with this number ends. */
export function resetAtS(minute: number): number {
  return ((minute + 1) * windowMs) / 1000
}

/** A window this many minutes or more ahead of the clock passes no count on. */
export const aheadMinutes = clockToleranceMs / windowMs

/**
 * Returns the window in force when the clock shows `minute`. If the clock has stepped back by less
 * than an hour, the window that it had reached passes its count on to this one: a used-up window
 * does not reopen, and no client has to wait for more than a minute.
 */
export function windowInForce(storedWindow: WindowCount, minute: number): WindowCount {
  const aheadBy = storedWindow.minute - minute
  return { minute, count: aheadBy >= 0 && aheadBy < aheadMinutes ? storedWindow.count : 0 }
}
