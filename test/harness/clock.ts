import type { Clock } from '#kit/clock.ts'

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  /** Milliseconds since the epoch. */
  ms: number
}

export function testClock(start = '2026-03-01T12:00:10.000Z'): TestClock {
  return {
    ms: Date.parse(start),
    now() {
      return this.ms
    },
  }
}
