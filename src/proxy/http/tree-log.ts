import { OriginFault } from '#release/origin/origin-client.ts'
import type { TreeFault } from '#release/tree.ts'
import type { HealthLog } from './store-health.ts'

const quietMs = 1_000

/**
 * Logs the files that the tree does not give, one line a second at most: an origin or a disk that
 * is away fails every request at once.
 */
export class TreeLog {
  readonly #log: HealthLog
  #lastMs = -Infinity
  #unlogged = 0

  constructor(log: HealthLog) {
    this.#log = log
  }

  failed(error: TreeFault, request: { operation: string | undefined; requestId: string }): void {
    if (performance.now() - this.#lastMs < quietMs) return void this.#unlogged++
    this.#lastMs = performance.now()
    const { message, path, reason } = error
    const upstream = error instanceof OriginFault ? { upstreamStatus: error.status } : {}
    const unlogged = this.#unlogged > 0 ? { unlogged: this.#unlogged } : {}
    this.#log.error({ ...request, path, reason, ...upstream, ...unlogged }, message)
    this.#unlogged = 0
  }
}
