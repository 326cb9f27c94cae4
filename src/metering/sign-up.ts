import { newAccountName } from './account-name.ts'
import { createKey, type AdminContext, type CreatedKey } from './administer.ts'
import { dayMs } from './window.ts'

/** The result of a sign-up. A refusal is a value; only a fault of the store throws. */
export type SignUpOutcome =
  | { outcome: 'created'; createdKey: CreatedKey }
  | { outcome: 'bad_name' }
  | { outcome: 'taken' }
  /** The network, or all networks together, have reached the limit of today. */
  | { outcome: 'too_many'; isTotal: boolean; perDay: number; retryAfterS: number }

/** The plan of every account that is created by sign-up. */
const selfServePlan = 'trial'

/** The limits for new accounts per day. */
interface SignUpLimits {
  /** The limit of one address; an IPv6 address is limited by its /64 and by its /48. */
  perDay: number
  /** The limit of all addresses together; unlimited by default. */
  totalPerDay?: number | undefined
}

/**
 * Creates an account with a trial key, one for each name. The limits of a day (UTC) also count
 * refused names, because a refusal reveals who is a customer.
 *
 * @throws {StoreUnavailable}
 */
export async function signUp(
  context: AdminContext,
  {
    account: accountText,
    address,
    perDay,
    totalPerDay = Infinity,
  }: { account: string; address: string } & SignUpLimits,
): Promise<SignUpOutcome> {
  const { directory } = context.store
  let account: string
  try {
    account = newAccountName(accountText)
  } catch {
    return { outcome: 'bad_name' }
  }
  const limits: [string, number][] = networksOf(address).map((network) => [network, perDay])
  for (const [network, limit] of [...limits, ['all', totalPerDay] as const])
    if (!(await directory.countSignUp(network, limit)))
      return {
        outcome: 'too_many',
        isTotal: network === 'all',
        perDay: limit,
        retryAfterS: Math.ceil((dayMs - ((await context.store.records.now()) % dayMs)) / 1000),
      }
  if (!(await directory.createAccount(account, selfServePlan, true))) return { outcome: 'taken' }
  return { outcome: 'created', createdKey: await createKey(context, { account }) }
}

/** Returns the address and, for an IPv6 /64, the /48 that a provider's customer usually has. */
function networksOf(address: string): string[] {
  const [, first48] = /^((?:[0-9a-f]+:){3})[0-9a-f]+::\/64$/.exec(address) ?? []
  return first48 === undefined ? [address] : [address, `${first48}:/48`]
}
