import type { StoreUnavailable } from '#metering/store.ts'
import { UnknownPlan } from '#metering/plan-table.ts'

export interface HealthLog {
  info(message: string): void
  error(context: object, message: string): void
}

/** How many accounts on unknown plans are remembered as reported. */
const rememberedPlans = 1000

/**
 * Different reasons that are reported of one outage: "connection refused", then "Redis has lost the
 * store".
 */
const maxReasons = 10

/**
 * Writes to the log when the store goes away, for what reasons, and when it is back. It does not
 * write a line for each refused request: that would hold up the event loop when it is needed most.
 */
export class StoreHealth {
  readonly #log: HealthLog
  #refused = 0
  readonly #reasons = new Set<string>()
  readonly #toldPlans = new Set<string>()

  constructor(log: HealthLog) {
    this.#log = log
  }

  failed(error: StoreUnavailable): void {
    if (error instanceof UnknownPlan) return this.#tellPlan(error)
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

  #tellPlan({ message }: UnknownPlan): void {
    if (this.#toldPlans.has(message) || this.#toldPlans.size >= rememberedPlans) return
    this.#toldPlans.add(message)
    this.#log.error({}, `${message}: requests that need it are refused`)
  }
}
