import { accountName, createKey, type Administration, type CreatedKey } from './administer.ts'

/** What came of a sign-up. A refusal is a value; only a fault of the store is an exception. */
export type SignUpOutcome =
  | { outcome: 'created'; created: CreatedKey }
  /** The name cannot be one; the message says what is allowed. */
  | { outcome: 'bad_name'; message: string }
  | { outcome: 'taken' }
  /** The address has made as many accounts today as it may. */
  | { outcome: 'too_many'; perDay: number; retryAfterS: number }

/** The plan of every account that signs itself up. */
const selfServePlan = 'trial'

/**
 * Makes an account of a new name with a trial key: one account a name, and so many a day (in UTC) for an address. A name that is taken gives nothing away and spends
 * nothing.
 *
 * @throws {StoreUnavailable}
 */
export async function signUp(
  desk: Administration,
  wanted: { account: string; address: string; perDay: number },
): Promise<SignUpOutcome> {
  const { store } = desk
  let account: string
  try {
    account = accountName(wanted.account)
  } catch (error) {
    return { outcome: 'bad_name', message: (error as Error).message }
  }
  if (await store.directory.account(account)) return { outcome: 'taken' }
  if (!(await store.directory.countSignUp(wanted.address, wanted.perDay)))
    return { outcome: 'too_many', perDay: wanted.perDay, retryAfterS: secondsToNextDay(desk.clock.now()) }
  if (!(await store.directory.createAccount(account, selfServePlan))) return { outcome: 'taken' }
  return { outcome: 'created', created: await createKey(desk, { account }) }
}

const dayS = 86_400

/** Whole seconds until the next day in UTC, at least 1. */
function secondsToNextDay(nowMs: number): number {
  return dayS - (Math.floor(nowMs / 1000) % dayS)
}
