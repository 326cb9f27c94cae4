import { accountName, createKey, type AdminContext, type CreatedKey } from './administer.ts'

/** The result of a sign-up. A refusal is a value; only a fault of the store throws. */
export type SignUpOutcome =
  | { outcome: 'created'; created: CreatedKey }
  /** The name is not allowed; the message says what is. */
  | { outcome: 'bad_name'; message: string }
  | { outcome: 'taken' }
  /** The address has created all the accounts that it may create today. */
  | { outcome: 'too_many'; perDay: number; retryAfterS: number }

const dayS = 86_400

/** The plan of every account that signs itself up. */
const selfServePlan = 'trial'

/**
 * Creates an account with a trial key: one account a name, and a number of accounts a day (UTC) for
 * an address. A name that is taken creates nothing and counts nothing.
 *
 * @throws {StoreUnavailable}
 */
export async function signUp(
  context: AdminContext,
  wanted: { account: string; address: string; perDay: number },
): Promise<SignUpOutcome> {
  const { store } = context
  let account: string
  try {
    account = accountName(wanted.account)
  } catch (error) {
    return { outcome: 'bad_name', message: (error as Error).message }
  }
  if (await store.directory.account(account)) return { outcome: 'taken' }
  if (!(await store.directory.countSignUp(wanted.address, wanted.perDay)))
    return {
      outcome: 'too_many',
      perDay: wanted.perDay,
      retryAfterS: dayS - (Math.floor(context.clock.now() / 1000) % dayS),
    }
  if (!(await store.directory.createAccount(account, selfServePlan))) return { outcome: 'taken' }
  return { outcome: 'created', created: await createKey(context, { account }) }
}
