/** The delay before the first restart after a crash; each further one doubles it. */
const firstDelayMs = 1_000
const maxDelayMs = 30_000
/** After so many crashes in a row, which take two and a half minutes, the service gives up. */
const maxCrashes = 10
/** A worker that has run for so long was sound: what ended it is no crash in a row. */
const soundMs = 10_000

/** How a worker ended. */
export interface WorkerEnd {
  exitCode: number | null
  signal: NodeJS.Signals | null
  /** How long it had run. */
  ranMs: number
  /** Whether it had listened. */
  hasListened: boolean
}

/**
 * When workers that end are replaced. A worker that somebody killed is replaced at once. One that
 * crashes again and again is replaced later each time, so that it does not use up the machine, and
 * at last not at all.
 */
export class RestartPolicy {
  #crashes = 0
  /** How many workers have been replaced. */
  restarts = 0

  /** Returns the delay before the replacement, or null to give up. */
  delayAfter(end: WorkerEnd): number | null {
    if (!isCrash(end)) this.#crashes = 0
    else if (++this.#crashes >= maxCrashes) return null
    this.restarts++
    return this.#crashes === 0 ? 0 : Math.min(firstDelayMs * 2 ** (this.#crashes - 1), maxDelayMs)
  }
}

function isCrash({ exitCode, signal, ranMs, hasListened }: WorkerEnd): boolean {
  const isKilled = signal === 'SIGKILL' || signal === 'SIGTERM'
  return ranMs < soundMs && (!hasListened || exitCode !== null || !isKilled)
}
