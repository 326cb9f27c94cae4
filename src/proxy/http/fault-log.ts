import type { ErrorAnswer } from '#contract/errors.ts'
import { UnknownPlan } from '#metering/plan-table.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { TreeFault } from '#release/tree.ts'
import {
  internal,
  noOrigin,
  noSite,
  noStore,
  SiteUnreachable,
  TooBusy,
  tooBusy,
  unknownPlan,
} from './refusals.ts'

export interface ErrorLog {
  info(message: string): void
  error(context: object, message: string): void
}

/** The maximum number of reasons that are logged for one outage, such as "connection refused". */
const maxReasons = 10

/** The time after a line of `#logSome` in which it writes no other one. */
const quietMs = 1_000

/**
 * Logs why requests fail. If a store, an origin or a disk is unavailable, every request fails at
 * once. A line for each would block the event loop when it is needed most.
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

  /** Logs a line for any other fault. */
  error(context: object, message: string): void {
    this.#log.error(context, message)
  }

  /** Logs why a request failed, and returns the error: 503 if it may succeed later, else 500. */
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
    if (error instanceof SiteUnreachable) {
      this.#logSome(request, error.message)
      return noSite
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

  /** Logs that a connection above the limit was refused. */
  connectionRefused(): void {
    const remedy = 'raise the limit of open files (ulimit -n or LimitNOFILE), or add a machine'
    this.#logSome({}, `too many connections are open, so new ones get 503: ${remedy}`)
  }

  /** Logs when the store is back. */
  storeAnswered(): void {
    if (this.#refused === 0) return
    this.#log.info(`the store is back; ${this.#refused} requests were refused in the meantime`)
    this.#refused = 0
    this.#reasons.clear()
  }

  /** Logs a fault, at most one line per second. */
  #logSome(context: object, message: string): void {
    if (performance.now() < this.#quietUntilMs) return void this.#unlogged++
    this.#quietUntilMs = performance.now() + quietMs
    this.#log.error(this.#unlogged > 0 ? { ...context, unlogged: this.#unlogged } : context, message)
    this.#unlogged = 0
  }
}
