import { UnknownPlan } from '#metering/plan-table.ts'
import type { StoreUnavailable } from '#metering/store.ts'
import type { TreeFault } from '#release/tree.ts'

export interface ErrorLog {
  info(message: string): void
  error(context: object, message: string): void
}

/** How many accounts on unknown plans are reported. */
const maxReportedPlans = 1000

/**
 * How many reasons of one outage are reported, such as "connection refused", then "Redis has lost
 * the store".
 */
const maxReasons = 10

/** How long no other fault of the tree is logged after one. */
const quietMs = 1_000

/**
 * Logs why requests fail. A store, an origin or a disk that is away fails every request at once, so
 * there is no line for each, which would block the event loop when it is needed most.
 */
export class FaultLog {
  readonly #log: ErrorLog
  #refused = 0
  readonly #reasons = new Set<string>()
  readonly #reportedPlans = new Set<string>()
  #lastTreeFaultMs = -Infinity
  #unlogged = 0

  constructor(log: ErrorLog) {
    this.#log = log
  }

  /** Any other fault: a line for each. */
  error(context: object, message: string): void {
    this.#log.error(context, message)
  }

  /** Logs when the store becomes unavailable, and for what reasons. */
  storeFailed(error: StoreUnavailable): void {
    if (error instanceof UnknownPlan) return this.#reportPlan(error)
    this.#refused++
    if (this.#reasons.has(error.message) || this.#reasons.size === maxReasons) return
    this.#reasons.add(error.message)
    this.#log.error({ err: error }, 'the store is unavailable: requests that cannot be metered are refused')
  }

  /** Logs when it is back. */
  storeAnswered(): void {
    if (this.#refused === 0) return
    this.#log.info(`the store is back; ${this.#refused} requests were refused in the meantime`)
    this.#refused = 0
    this.#reasons.clear()
  }

  #reportPlan({ message }: UnknownPlan): void {
    if (this.#reportedPlans.has(message) || this.#reportedPlans.size >= maxReportedPlans) return
    this.#reportedPlans.add(message)
    this.#log.error({}, `${message}: requests that need it are refused`)
  }

  /** Logs the files that the tree does not give, one line a second at most. */
  treeFailed(error: TreeFault, request: { operation: string | undefined; requestId: string }): void {
    if (performance.now() - this.#lastTreeFaultMs < quietMs) return void this.#unlogged++
    this.#lastTreeFaultMs = performance.now()
    const { message, path, reason, status } = error
    const upstream = status === undefined ? {} : { upstreamStatus: status }
    const unlogged = this.#unlogged > 0 ? { unlogged: this.#unlogged } : {}
    this.#log.error({ ...request, path, reason, ...upstream, ...unlogged }, message)
    this.#unlogged = 0
  }
}
