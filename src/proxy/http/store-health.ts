import type { StoreUnavailable } from '#metering/store.ts'
import { UnknownPlan } from '#metering/plan-table.ts'

export interface HealthLog {
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

/**
 * Logs when the store becomes unavailable, for what reasons, and when it is back. It logs no line
 * for each refused request, which would block the event loop when it is needed most.
 */
export class StoreHealth {
  readonly #log: HealthLog
  #refused = 0
  readonly #reasons = new Set<string>()
  readonly #reportedPlans = new Set<string>()

  constructor(log: HealthLog) {
    this.#log = log
  }

  failed(error: StoreUnavailable): void {
    if (error instanceof UnknownPlan) return this.#reportPlan(error)
    this.#refused++
    if (this.#reasons.has(error.message) || this.#reasons.size === maxReasons) return
    this.#reasons.add(error.message)
    this.#log.error({ err: error }, 'the store is unavailable: requests that cannot be metered are refused')
  }

  answered(): void {
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
}
