import type { SignUpPage } from '#contract/rendered-pages.ts'
import type { SignUpOutcome } from '#metering/sign-up.ts'
import { unreadable, type FormFault } from './forms.ts'

const maxNameLength = 64

/** Creates an account with a trial key for a client address. */
export type MakeAccount = (account: string, address: string) => Promise<SignUpOutcome>

/** What the page that answers a form shows, and how it is sent. */
export interface FormAnswer<Page> {
  status: number
  page: Page
  retryAfterS?: number | undefined
}

/** Creates the account that a sign-up form asks for. @throws {StoreUnavailable} */
export async function takeSignUp(
  form: URLSearchParams,
  makeAccount: MakeAccount,
  address: string,
): Promise<FormAnswer<SignUpPage>> {
  const name = form.get('account')
  if (name === null) return refuse(unreadable)
  if (name.trim() === '') return refuse({ status: 400, fault: 'Enter an account name.' })
  if ([...name].length > maxNameLength) return refuse(badName)
  const outcome = await makeAccount(name, address)
  if (outcome.outcome !== 'created')
    return refuse(refusalOf(outcome), outcome.outcome === 'taken' ? name : undefined)
  const { account, key } = outcome.created
  return { status: 200, page: { created: { account, key } } }
}

/**
 * The page has a name only if it was taken: such pages are as few as the sign-ups of a day, and any
 * other is rendered once.
 */
function refuse({ status, fault, retryAfterS }: FormFault, name?: string): FormAnswer<SignUpPage> {
  return { status, retryAfterS, page: { fault, name } }
}

const badName: FormFault = {
  status: 400,
  fault: `Use at most ${maxNameLength} letters, digits, spaces and other common characters.`,
}

function refusalOf(refused: Exclude<SignUpOutcome, { outcome: 'created' }>): FormFault {
  switch (refused.outcome) {
    case 'bad_name':
      return badName
    case 'taken':
      return {
        status: 409,
        fault:
          'An account with this name already exists, and its key cannot be shown again. Choose another name.',
      }
    case 'too_many':
      return {
        status: 429,
        retryAfterS: refused.retryAfterS,
        fault: refused.isTotal
          ? 'No more accounts can be created today. Try again tomorrow.'
          : `Your network asked for ${refused.perDay} accounts today, which is the limit. Try again tomorrow.`,
      }
  }
}
