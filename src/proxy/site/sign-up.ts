import { escapeUTF8 } from 'entities/escape'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { quoteValue } from '#contract/quote-value.ts'
import type { SignUpOutcome } from '#metering/sign-up.ts'
import { describeFault, type ParseError } from '../http/parse-error.ts'
import { BrokenBody, readBody } from '../http/request-body.ts'
import { isCrossOrigin } from './cross-origin.ts'
import type { Site } from './site.ts'

/** The address of the form, a page of the site. The proxy takes its POST. */
export const signUpPath = '/signup/'

/** The pages that answer a form: files of the site with `{{name}}` where a value belongs. */
const createdPage = '/signup/created/'
const refusedPage = '/signup/refused/'

const maxFormBytes = 16 * 1024
const maxNameLength = 64

/** Creates an account with a trial key for a client address. */
export type MakeAccount = (account: string, address: string) => Promise<SignUpOutcome>

/** The page that answers a form. */
export interface FormAnswer {
  status: number
  html: string
  retryAfterS?: number
  /** The rest of the request is not read, so the connection must be closed. */
  isLast?: boolean
}

/** What is wrong with a form, as a sentence, and the name in it. */
interface Refusal extends Omit<FormAnswer, 'html'> {
  fault: string
  name?: string
}

/** Creates the account that a sign-up form asks for. @throws {StoreUnavailable} */
export async function takeSignUp(
  req: IncomingMessage,
  { site, makeAccount, address }: { site: Site; makeAccount: MakeAccount; address: string },
): Promise<FormAnswer> {
  const name = readHeaders(req.headers) ?? (await readName(req))
  if (typeof name !== 'string') return refuseForm(site, name)
  if ([...name].length > maxNameLength)
    return refuseForm(site, {
      status: 400,
      name,
      fault: `A name can have at most ${maxNameLength} characters.`,
    })
  const outcome = await makeAccount(name, address)
  if (outcome.outcome !== 'created') return refuseForm(site, refusalOf(name, outcome))
  const { account, key } = outcome.created
  return { status: 200, html: fill(site, createdPage, { account, key }) }
}

/** The page that says what is wrong with a form. */
export function refuseForm(site: Site, { fault, name = '', ...rest }: Refusal): FormAnswer {
  return { ...rest, html: fill(site, refusedPage, { fault, name }) }
}

/** Why a form must not be read, by its headers; null if it may. */
function readHeaders(headers: IncomingHttpHeaders): Refusal | null {
  if (isCrossOrigin(headers))
    return { status: 403, fault: 'The form was sent from another site. Fill it in here instead.' }
  // The length must be known before reading (RFC 9110 section 15.5.12).
  if (headers['transfer-encoding'] !== undefined)
    return { status: 411, fault: 'The form must have a Content-Length.', isLast: true }
  return Number(headers['content-length'] ?? 0) > maxFormBytes
    ? { status: 413, fault: 'The form is too large.', isLast: true }
    : null
}

const unreadable: Refusal = { status: 400, fault: 'The form could not be read. Fill it in again.' }

/** The name in a form as browsers send it. */
async function readName(req: IncomingMessage): Promise<string | Refusal> {
  try {
    const body = await readBody(req)
    const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type'] ?? '')
    return (isForm ? new URLSearchParams(body.toString()).get('account') : null) ?? unreadable
  } catch (error) {
    if (!(error instanceof BrokenBody)) throw error
    const status = describeFault(error.cause as ParseError)?.error.status ?? 400
    return { ...unreadable, status, isLast: true }
  }
}

function refusalOf(name: string, refused: Exclude<SignUpOutcome, { outcome: 'created' }>): Refusal {
  switch (refused.outcome) {
    case 'bad_name':
      return {
        status: 400,
        name,
        fault:
          name.trim() === '' ? 'Enter an account name.' : `You cannot use this name: ${refused.message}.`,
      }
    case 'taken':
      return {
        status: 409,
        name,
        fault:
          'An account with this name already exists, and its key cannot be shown again. Choose another name.',
      }
    case 'too_many':
      return {
        status: 429,
        name,
        retryAfterS: refused.retryAfterS,
        fault: refused.isTotal
          ? 'No more accounts can be created today. Try again tomorrow.'
          : `Your network asked for ${refused.perDay} accounts today, which is the limit. Try again tomorrow.`,
      }
  }
}

/**
 * A page of the site with the values filled in. They are escaped: nothing in them becomes markup.
 */
function fill(site: Site, page: string, values: Record<string, string>): string {
  const template = site.templates.get(page)
  if (template === undefined) throw new Error(`the site has no page ${quoteValue(page)}`)
  return template.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
    name in values ? escapeUTF8(values[name]!) : placeholder,
  )
}
