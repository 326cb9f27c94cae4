import type { Report } from './adapter.ts'

/** How long after a seek a report of the time before it can still arrive. */
const lateMs = 1000
/** A player that reports nothing for this long has stalled. */
const stalledMs = 1000
/** By how much a report can be behind the time shown without the time having been set back. */
const jitterS = 0.25

/**
 * Estimates the position of a player between its reports, which arrive about four times a second:
 * too rarely to highlight words. Positions are in seconds; `nowMs` is the page's clock.
 */
export class PlayerClock {
  isPlaying = false
  rate = 1
  #timeS = 0
  #atMs = 0
  #soughtAtMs = -Infinity

  report({ timeS, isPlaying, rate }: Report, nowMs: number): void {
    const shownS = this.timeS(nowMs)
    this.#timeS = timeS === undefined || this.#isOld(timeS, shownS, nowMs) ? shownS : timeS
    this.#atMs = nowMs
    this.isPlaying = isPlaying ?? this.isPlaying
    this.rate = rate ?? this.rate
  }

  /** Sets the time at once: the report of it comes later. */
  seek(timeS: number, nowMs: number): void {
    this.#timeS = timeS
    this.#atMs = this.#soughtAtMs = nowMs
  }

  /** The second that the player is at. */
  timeS(nowMs: number): number {
    const sinceS = Math.min(nowMs - this.#atMs, stalledMs) / 1000
    return this.#timeS + (this.isPlaying ? sinceS * this.rate : 0)
  }

  /**
   * Whether a report is from before a seek, or only slightly late.
   */
  #isOld(timeS: number, shownS: number, nowMs: number): boolean {
    if (nowMs - this.#soughtAtMs < lateMs && Math.abs(timeS - shownS) > 0.5) return true
    return this.isPlaying && timeS < shownS && shownS - timeS < jitterS
  }
}
