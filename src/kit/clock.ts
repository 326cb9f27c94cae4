/** The source of time. It is always passed in, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/** The machine's clock. No other code reads `Date.now`. */
export const systemClock: Clock = { now: () => Date.now() }

/**
 * Returns the clock of reproducible builds, which always shows `SOURCE_DATE_EPOCH` (Unix seconds;
 * https://reproducible-builds.org/specs/source-date-epoch/).
 *
 *     fixedClock(1_772_366_400).now() // 1_772_366_400_000
 */
export function fixedClock(epochS: number): Clock {
  return { now: () => epochS * 1000 }
}
