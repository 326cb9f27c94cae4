import type { SignUpPage } from '#contract/rendered-pages.ts'
import type { SignUpOutcome } from '#metering/sign-up.ts'
import { unreadable, type FormAnswer } from './forms.ts'

const maxNameLength = 64

/** Creates an account with a trial key for a client address. */
export type MakeAccount = (account: string, address: string) => Promise<SignUpOutcome>

/** Creates the account that a sign-up form asks for. @throws {StoreUnavailable} */
export async function takeSignUp(
  form: URLSearchParams,
  makeAccount: MakeAccount,
  address: string,
): Promise<FormAnswer<SignUpPage>> {
  const name = form.get('account')
  if (name === null) return unreadable
  if (name.trim() === '') return { status: 400, page: { fault: 'Enter an account name.' } }
  if ([...name].length > maxNameLength) return badName
  const outcome = await makeAccount(name, address)
  if (outcome.outcome !== 'created') return refusalOf(outcome, name)
  const { account, key } = outcome.created
  return { status: 200, page: { created: { account, key } } }
}

const badName: FormAnswer<SignUpPage> = {
  status: 400,
  page: { fault: `Use at most ${maxNameLength} letters, digits, spaces and other common characters.` },
}

/**
 * The page has a name only if it was taken: such pages are as few as the sign-ups of a day, and any
 * other is rendered once.
 */
function refusalOf(
  refused: Exclude<SignUpOutcome, { outcome: 'created' }>,
  name: string,
): FormAnswer<SignUpPage> {
  if (refused.outcome === 'bad_name') return badName
  if (refused.outcome === 'taken') {
    const fault =
      'An account with this name already exists, and its key cannot be shown again. Choose another name.'
    return { status: 409, page: { fault, name } }
  }
  const fault = refused.isTotal
    ? 'No more accounts can be created today. Try again tomorrow.'
    : `Your network asked for ${refused.perDay} accounts today, which is the limit. Try again tomorrow.`
  return { status: 429, retryAfterS: refused.retryAfterS, page: { fault } }
}
