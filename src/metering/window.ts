import { clockToleranceMs } from './clock-steps.ts'

/** The length of a window: fixed, aligned to the Unix minute (contract 1.3). */
export const windowMs = 60_000

export const dayMs = 86_400_000

/** The number of the day (UTC) that holds an instant, counted from the Unix epoch. */
export function dayOf(instantMs: number): number {
  return Math.floor(instantMs / dayMs)
}

/** The places spent in one window. */
export interface WindowCount {
  /** The window's number: whole minutes since the Unix epoch. */
  minute: number
  count: number
}

/** The number of the window that holds an instant, given in milliseconds. */
export function minuteOf(instantMs: number): number {
  return Math.floor(instantMs / windowMs)
}

/** Unix seconds when the window with this number rolls over. */
export function resetAtS(minute: number): number {
  return ((minute + 1) * windowMs) / 1000
}

/** A window this many minutes ahead of the clock, or more, passes nothing on. */
export const aheadMinutes = clockToleranceMs / windowMs

/**
 * The window in force when the clock shows `minute`. If the clock has stepped back by less than an
 * hour, the window that it had reached passes its count on to this one: a spent window is not
 * opened again, and no client has to wait for more than a minute.
 */
export function windowInForce(storedWindow: WindowCount, minute: number): WindowCount {
  const aheadBy = storedWindow.minute - minute
  return { minute, count: aheadBy >= 0 && aheadBy < aheadMinutes ? storedWindow.count : 0 }
}
