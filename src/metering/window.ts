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

/** A window this many minutes ahead of the clock, or more, is not in force. */
export const aheadMinutes = clockToleranceMs / windowMs

/**
 * The window in force when the clock shows `minute`: the stored one until the clock has passed it,
 * then a fresh one. A clock that steps back by less than an hour stays in the window it had
 * reached, so that a spent window is not opened again.
 */
export function windowInForce(stored: WindowCount | undefined, minute: number): WindowCount {
  const isInForce = stored && stored.minute >= minute && stored.minute - minute < aheadMinutes
  return isInForce ? stored : { minute, count: 0 }
}
