import type { SignUpOutcome } from '#metering/sign-up.ts'

type Created = Extract<SignUpOutcome, { outcome: 'created' }>['created']

/** What the page of the sign-up shows. */
export interface SignUpView {
  status: number
  /** What is wrong with the form, in a sentence. */
  fault?: string | undefined
  /** What was filled in. */
  name: string
  created?: Created | undefined
}

/** The longest name that is taken from the form. */
const longestName = 64

/** Takes the form of a request to sign up; a request without one shows an empty form. */
export async function takeForm(request: Request, locals: App.Locals): Promise<SignUpView> {
  if (request.method !== 'POST') return { status: 200, name: '' }
  if (locals.isForeignForm) {
    return {
      status: 403,
      name: '',
      fault: 'This form came from a page of another site. Please send it from here.',
    }
  }
  const name = await readName(request)
  if (name === null)
    return { status: 400, name: '', fault: 'This form could not be read. Please fill it in again.' }
  if ([...name].length > longestName)
    return { status: 400, name, fault: `A name has at most ${longestName} characters.` }
  const outcome = await locals.signUp(name)
  return outcome.outcome === 'created'
    ? { status: 200, name, created: outcome.created }
    : refused(name, outcome)
}

async function readName(request: Request): Promise<string | null> {
  try {
    const value = (await request.formData()).get('account')
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}

function refused(name: string, outcome: Exclude<SignUpOutcome, { outcome: 'created' }>): SignUpView {
  switch (outcome.outcome) {
    case 'bad_name':
      return {
        status: 400,
        name,
        fault: name.trim() === '' ? 'Please give a name.' : `This name cannot be taken: ${outcome.message}.`,
      }
    case 'taken':
      return {
        status: 409,
        name,
        fault:
          'There is an account of this name already. Its key was shown when it was made and cannot be shown again; please choose another name.',
      }
    case 'too_many':
      return {
        status: 429,
        name,
        fault: `${outcome.perDay} accounts were made from your network today, and more are not allowed. Please come back tomorrow.`,
      }
  }
}
