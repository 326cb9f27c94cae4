import type { ErrorAnswer } from '#contract/errors.ts'
import { UnknownPlan } from '#metering/plan-table.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { TreeFault } from '#release/tree.ts'
import { internal, noOrigin, noStore, TooBusy, tooBusy, unknownPlan } from './refusals.ts'

export interface ErrorLog {
  info(message: string): void
  error(context: object, message: string): void
}

/**
 * How many reasons of one outage are reported, such as "connection refused", then "Redis has lost
 * the store".
 */
const maxReasons = 10

/** How long no other fault of the tree, an unknown plan, or too much work, is logged after one. */
const quietMs = 1_000

/**
 * Logs why requests fail. A store, an origin or a disk that is away fails every request at once, so
 * there is no line for each, which would block the event loop when it is needed most.
 */
export class FaultLog {
  readonly #log: ErrorLog
  #refused = 0
  readonly #reasons = new Set<string>()
  #quietUntilMs = 0
  #unlogged = 0

  constructor(log: ErrorLog) {
    this.#log = log
  }

  /** Any other fault: a line for each. */
  error(context: object, message: string): void {
    this.#log.error(context, message)
  }

  /**
   * Logs why a request failed, and returns the answer to it: 503 for a store or an origin out of
   * reach or too much work, else 500.
   */
  requestFailed(
    error: Error,
    { requestId, method, operation }: { requestId: string; method: string; operation: { id: string } | null },
  ): ErrorAnswer {
    const request = { operation: operation?.id, requestId }
    if (error instanceof UnknownPlan) {
      this.#logSome(request, `${error.message}: requests of accounts on this plan are refused`)
      return unknownPlan(error.plan)
    }
    if (error instanceof TooBusy) {
      this.#logSome(request, error.message)
      return tooBusy
    }
    if (error instanceof StoreUnavailable) {
      this.#refused++
      if (this.#reasons.has(error.message) || this.#reasons.size === maxReasons) return noStore
      this.#reasons.add(error.message)
      const message = 'the store is unavailable: requests that cannot be metered are refused'
      this.#log.error({ err: error }, message)
      return noStore
    }
    if (error instanceof TreeFault) {
      const { message, path, reason, status } = error
      const upstream = status === undefined ? {} : { upstreamStatus: status }
      this.#logSome({ ...request, path, reason, ...upstream }, message)
      return noOrigin
    }
    this.#log.error({ err: error, method, ...request }, 'a request failed')
    return internal
  }

  /** Logs when the store is back. */
  storeAnswered(): void {
    if (this.#refused === 0) return
    this.#log.info(`the store is back; ${this.#refused} requests were refused in the meantime`)
    this.#refused = 0
    this.#reasons.clear()
  }

  /** Logs a fault, one line a second at most. */
  #logSome(context: object, message: string): void {
    if (performance.now() < this.#quietUntilMs) return void this.#unlogged++
    this.#quietUntilMs = performance.now() + quietMs
    this.#log.error(this.#unlogged > 0 ? { ...context, unlogged: this.#unlogged } : context, message)
    this.#unlogged = 0
  }
}
