import type { OriginFault } from '#release/origin/origin-fault.ts'
import type { HealthLog } from './store-health.ts'

const quietMs = 1_000

/**
 * Tells the log what the origin failed, one line a second at most: it fails for every request at
 * once.
 */
export class OriginLog {
  readonly #log: HealthLog
  #lastMs = -Infinity
  #untold = 0

  constructor(log: HealthLog) {
    this.#log = log
  }

  failed(
    { message, path, status, reason }: OriginFault,
    request: { operation: string | undefined; requestId: string },
  ): void {
    if (performance.now() - this.#lastMs < quietMs) return void this.#untold++
    this.#lastMs = performance.now()
    const more = this.#untold > 0 ? { untold: this.#untold } : {}
    this.#log.error({ ...request, path, upstreamStatus: status, reason, ...more }, message)
    this.#untold = 0
  }
}
