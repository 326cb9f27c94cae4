/** A worker that has run for so long was sound. */
const soundMs = 10_000
/** The delay after the first of several workers that were not; each further one doubles it. */
const firstDelayMs = 250
const maxDelayMs = 30_000
/** The most for a worker that had listened and was killed: somebody waits for it. */
const maxKilledDelayMs = 5_000
/** After so many crashes in a row, which take a minute at least, the service gives up. */
const maxCrashes = 10

/** How a worker ended. */
export interface WorkerEnd {
  signal: NodeJS.Signals | null
  /** How long it had run. */
  ranMs: number
  /** Whether it had listened. */
  hasListened: boolean
}

/**
 * When workers that end are replaced: the first at once, and others that end soon after their start
 * later each time, so that they do not use up the machine. If they crash again and again, they are
 * no longer replaced.
 */
export class RestartPolicy {
  #earlyEnds = 0
  #crashes = 0
  /** How many workers have been replaced. */
  restarts = 0

  /** Returns the delay before the replacement, or null to give up. */
  delayAfter({ signal, ranMs, hasListened }: WorkerEnd): number | null {
    if (ranMs >= soundMs) this.#earlyEnds = this.#crashes = 0
    this.#earlyEnds++
    const isKilled = hasListened && (signal === 'SIGKILL' || signal === 'SIGTERM')
    if (!isKilled && ++this.#crashes >= maxCrashes) return null
    this.restarts++
    if (this.#earlyEnds === 1) return 0
    return Math.min(firstDelayMs * 2 ** (this.#earlyEnds - 2), isKilled ? maxKilledDelayMs : maxDelayMs)
  }
}
