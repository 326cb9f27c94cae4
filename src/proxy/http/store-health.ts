import type { StoreUnavailable } from '#metering/store.ts'
import { UnknownPlan } from '#metering/unknown-plan.ts'

export interface HealthLog {
  info(message: string): void
  error(context: object, message: string): void
}

/** How many accounts on unknown plans are remembered as told. */
const rememberedPlans = 1000

/**
 * Tells the log when the store goes away and when it is back, not each request that it costs: a line a request, with its stack, would hold the
 * loop up when it is needed most.
 */
export class StoreHealth {
  readonly #log: HealthLog
  #refused = 0
  readonly #toldPlans = new Set<string>()

  constructor(log: HealthLog) {
    this.#log = log
  }

  failed(error: StoreUnavailable): void {
    if (error instanceof UnknownPlan) return this.#tellPlan(error)
    if (this.#refused++ === 0)
      this.#log.error({ err: error }, 'the store is unavailable: what cannot be metered is refused')
  }

  answered(): void {
    if (this.#refused === 0) return
    this.#log.info(`the store is back; ${this.#refused} requests were refused meanwhile`)
    this.#refused = 0
  }

  #tellPlan({ message }: UnknownPlan): void {
    if (this.#toldPlans.has(message) || this.#toldPlans.size >= rememberedPlans) return
    this.#toldPlans.add(message)
    this.#log.error({}, `${message}: its requests are refused`)
  }
}
