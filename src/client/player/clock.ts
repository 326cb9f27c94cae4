import type { Report } from './adapter.ts'

/** The time after a seek within which a report of an earlier time can still arrive. */
const lateMs = 1000
/** How far from the second sought a player can land. */
const missS = 0.05
/** A player that reports nothing for this long has stalled. */
const stalledMs = 1000
/** How far a report can be behind the shown time without meaning that the player went back. */
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
  #soughtS = 0
  #soughtAtMs = -Infinity
  /** Whether the player was told to stop, and has not confirmed it. */
  #isStopping = false

  report({ timeS, isPlaying, rate }: Report, nowMs: number): void {
    if (this.#isStopping && isPlaying !== false && nowMs - this.#soughtAtMs < lateMs) return
    this.#isStopping = false
    const shownS = this.timeS(nowMs)
    this.#timeS = timeS === undefined || this.#isOld(timeS, shownS, nowMs) ? shownS : timeS
    this.#atMs = nowMs
    this.isPlaying = isPlaying ?? this.isPlaying
    this.rate = rate ?? this.rate
  }

  /** Sets the time at once, because the report of it arrives later. */
  seek(timeS: number, nowMs: number): void {
    this.#timeS = this.#soughtS = timeS
    this.#atMs = this.#soughtAtMs = nowMs
    this.#isStopping = false
  }

  /** Stops at a time. Until the player confirms it, reports are from before. */
  stop(timeS: number, nowMs: number): void {
    this.seek(timeS, nowMs)
    this.isPlaying = false
    this.#isStopping = true
  }

  /** Returns the time that the player is at, in seconds. */
  timeS(nowMs: number): number {
    const sinceS = Math.min(nowMs - this.#atMs, stalledMs) / 1000
    return this.#timeS + (this.isPlaying ? sinceS * this.rate : 0)
  }

  /** Whether a report is from before a seek, or only slightly late. */
  #isOld(timeS: number, shownS: number, nowMs: number): boolean {
    const isBeforeSeek = timeS < this.#soughtS - missS || timeS > shownS + 0.5
    if (nowMs - this.#soughtAtMs < lateMs && isBeforeSeek) return true
    return this.isPlaying && timeS < shownS && shownS - timeS < jitterS
  }
}
