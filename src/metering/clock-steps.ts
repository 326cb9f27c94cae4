/**
 * How far ahead of the clock a window or a period may lie and still be in force.
 *
 * A clock that steps back a little must not open what was spent, so the latest window and period
 * that were reached stay. But a clock that was days ahead, for the length of one request, must not
 * lock a key out for days: what lies this far ahead, or further, is left.
 */
export const clockToleranceMs = 3_600_000

/**
 * A step that is worth a line in the log. Less is the delay of an answer, or a clock being trimmed.
 */
const noticedMs = 5000

/** Lines an hour: the clocks of two servers that answer in turn would fill the log. */
const maxLines = 10
const hourMs = 3_600_000

/** Notices when the clock steps, by the clock that only goes forward, and says so in the log. */
export class ClockWatch {
  readonly #log: { warn(message: string): void } | undefined
  readonly #monotonicMs: () => number
  #offsetMs: number | undefined
  /** When each of the last lines was written. */
  #writtenMs: number[] = []

  constructor(log: { warn(message: string): void } | undefined, monotonicMs = () => performance.now()) {
    this.#log = log
    this.#monotonicMs = monotonicMs
  }

  /** Takes note of what the clock shows now, in milliseconds since the Unix epoch. */
  see(nowMs: number): void {
    if (!this.#log) return
    const monotonicMs = this.#monotonicMs()
    const offsetMs = nowMs - monotonicMs
    const stepMs = offsetMs - (this.#offsetMs ?? offsetMs)
    if (this.#offsetMs !== undefined && Math.abs(stepMs) < noticedMs) return
    this.#offsetMs = offsetMs
    this.#writtenMs = this.#writtenMs.filter((ms) => ms > monotonicMs - hourMs)
    if (stepMs === 0 || this.#writtenMs.length === maxLines) return
    this.#writtenMs.push(monotonicMs)
    const direction = stepMs > 0 ? 'forward' : 'back'
    const seconds = Math.round(Math.abs(stepMs) / 1000)
    this.#log.warn(
      `the clock stepped ${direction} by ${seconds} s and shows ${new Date(nowMs).toISOString()}`,
    )
  }
}
