/**
 * How far ahead of the clock a window or a period may be and still be in force.
 *
 * A clock that steps back a little must not reopen a used-up window or period, so the latest period
 * stays in force, and the latest window passes its count on. But a clock that was days ahead for
 * one request must not lock a key out for days, so a window or period this far ahead is dropped.
 */
export const clockToleranceMs = 3_600_000

/**
 * The smallest step that is logged. Smaller ones are delayed answers, or adjustments of the clock.
 */
const noticedMs = 5000

/**
 * The maximum number of lines per hour. Otherwise, two servers with different clocks that answer in
 * turn would fill the log.
 */
const maxLines = 10
const hourMs = 3_600_000

/**
 * Detects steps of the clock by comparing it with the monotonic clock, and logs them. The returned
 * function takes the time that the clock shows now, in milliseconds since the Unix epoch.
 */
export function watchClock(
  log: { warn(message: string): void } | undefined,
  readMonotonicMs = () => performance.now(),
): (nowMs: number) => void {
  let offsetMs: number | undefined
  let writtenMs: number[] = []
  return (nowMs) => {
    if (!log) return
    const monotonicMs = readMonotonicMs()
    const stepMs = nowMs - monotonicMs - (offsetMs ?? nowMs - monotonicMs)
    if (offsetMs !== undefined && Math.abs(stepMs) < noticedMs) return
    offsetMs = nowMs - monotonicMs
    writtenMs = writtenMs.filter((ms) => ms > monotonicMs - hourMs)
    if (stepMs === 0 || writtenMs.length === maxLines) return
    writtenMs.push(monotonicMs)
    const direction = stepMs > 0 ? 'forward' : 'back'
    const seconds = Math.round(Math.abs(stepMs) / 1000)
    log.warn(`the clock stepped ${direction} by ${seconds} s and now shows ${new Date(nowMs).toISOString()}`)
  }
}
