import type { Plan } from '#contract/plans.ts'
import type { AccountRecord } from './account-record.ts'
import { StoreUnavailable } from './store.ts'

/**
 * An account is on a plan that is not among the plans in force, so its requests cannot be metered.
 */
export class UnknownPlan extends StoreUnavailable {
  override name = 'UnknownPlan'
  readonly hasAdvice = true
  readonly plan: string
  constructor(account: string, plan: string) {
    super(`the account "${account}" is on the plan "${plan}", which does not exist. Check --plans`)
    this.plan = plan
  }
}

/** The plans in force, keyed by name. `Directory` replaces them while they are in use. */
export type PlanTable = Map<string, Plan>

/** Returns the plan of an account. @throws {UnknownPlan} */
export function planOf(plans: PlanTable, { account, plan }: AccountRecord): Plan {
  const known = plans.get(plan)
  if (!known) throw new UnknownPlan(account, plan)
  return known
}
