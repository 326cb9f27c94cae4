import { StoreUnavailable } from './store.ts'

/** An account is on a plan that the plans in force lack: its requests cannot be metered, so they are not served. */
export class UnknownPlan extends StoreUnavailable {
  override name = 'UnknownPlan'
  constructor(account: string, plan: string) {
    super(`the account "${account}" is on the plan "${plan}", which the plans lack`)
  }
}
