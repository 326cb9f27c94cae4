/** The time after which a worker that has run counts as healthy. */
const soundMs = 10_000
/** The delay after the first of several unhealthy workers; each further one doubles it. */
const firstDelayMs = 250
const maxDelayMs = 30_000
/** The maximum delay for a worker that listened and was killed: clients are waiting for it. */
const maxKilledDelayMs = 5_000
/** The number of crashes in a row, over at least a minute, after which the service gives up. */
const maxCrashes = 10

/** How a worker ended. */
export interface WorkerEnd {
  signal: NodeJS.Signals | null
  /** How long it ran. */
  ranMs: number
  /** Whether it listened. */
  hasListened: boolean
}

/**
 * Decides when workers that end are replaced: the first at once, and others that end soon after
 * their start ever later, so that they do not overload the machine. Workers that crash repeatedly
 * are no longer replaced.
 */
export class RestartPolicy {
  #earlyEnds = 0
  #crashes = 0
  /** The number of workers that have been replaced. */
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
