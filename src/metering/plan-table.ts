import type { Plan } from '#contract/plans.ts'
import type { AccountRecord } from './account-record.ts'
import { StoreUnavailable } from './store.ts'

/**
 * An account is on a plan that is not among the plans in force, so its requests cannot be metered.
 */
export class UnknownPlan extends StoreUnavailable {
  override name = 'UnknownPlan'
  readonly plan: string
  constructor(account: string, plan: string) {
    super(`the account "${account}" is on the plan "${plan}", which is not among the plans`)
    this.plan = plan
  }
}

/** The plans in force, by name. They can be replaced while they are in use. */
export class PlanTable {
  #plans = new Map<string, Plan>()

  constructor(plans: readonly Plan[]) {
    this.use(plans)
  }

  use(plans: readonly Plan[]): void {
    this.#plans = new Map(plans.map((plan) => [plan.name, plan]))
  }

  named(name: string): Plan | undefined {
    return this.#plans.get(name)
  }

  /** The plan of an account. @throws {UnknownPlan} */
  of({ account, plan }: Pick<AccountRecord, 'account' | 'plan'>): Plan {
    const known = this.#plans.get(plan)
    if (!known) throw new UnknownPlan(account, plan)
    return known
  }
}
