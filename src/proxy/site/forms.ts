import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { KeyPage, SignUpPage } from '#contract/rendered-pages.ts'
import type { Usage } from '#contract/usage.ts'
import type { SignUpOutcome } from '#metering/sign-up.ts'
import { brokenBody, describeFault, type ParseError } from '../http/parse-error.ts'

const maxFormBytes = 16 * 1024
const maxNameLength = 64

/** What the page that answers a form shows, and how it is sent. */
export interface FormAnswer<Page> {
  status: number
  page: Page
  retryAfterS?: number
  /** The rest of the request is not read, so the connection must be closed. */
  isLast?: boolean
}

/** What is wrong with a form, as a sentence. */
type FormFault = FormAnswer<{ fault: string }>

/** The answer to a form that lacks what it should have. */
const unreadable: FormFault = {
  status: 400,
  page: { fault: 'The form could not be read. Fill it in again.' },
}

/** Reads a form as browsers send it, unless another site sent it. */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams | FormFault> {
  const fault = faultOf(req.headers)
  if (fault) return fault
  try {
    const body = await readBody(req)
    const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(req.headers['content-type'] ?? '')
    return isForm ? new URLSearchParams(body.toString()) : unreadable
  } catch (error) {
    return { ...unreadable, status: describeFault(error as ParseError)?.status ?? 400, isLast: true }
  }
}

/** Why a form must not be read, by its headers; null if it may. */
function faultOf(headers: IncomingHttpHeaders): FormFault | null {
  if (isCrossOrigin(headers))
    return { status: 403, page: { fault: 'The form was sent from another site. Fill it in here instead.' } }
  // The length must be known before reading (RFC 9110 section 15.5.12).
  if (headers['transfer-encoding'] !== undefined)
    return { status: 411, page: { fault: 'The form must have a Content-Length.' }, isLast: true }
  return Number(headers['content-length'] ?? 0) > maxFormBytes
    ? { status: 413, page: { fault: 'The form is too large.' }, isLast: true }
    : null
}

/**
 * Whether a browser sends this for a page of another origin. Every browser since 2023 sends
 * `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/); for older ones `Origin` is compared
 * with `Host`. A client that sends neither is not a browser, so no other page can use it.
 */
function isCrossOrigin({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

/** Reads a body of a known length. @throws {ParseError} it does not arrive whole, or in time */
function readBody(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => resolve(Buffer.concat(chunks)))
    for (const event of [brokenBody, 'error']) req.on(event, reject)
    req.on('close', () => reject(new Error('the connection was closed')))
  })
}

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

const badName: FormFault = {
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

/** What the holder of a key can do without the operator. Both throw {StoreUnavailable}. */
export interface KeyHolder {
  /** Null if the key is not in force. */
  usage(key: string): Promise<Usage | null>
  /** False if the key is not in force. */
  disable(key: string): Promise<boolean>
}

/** Shows what the account of a key has used, or disables the key. */
export async function takeKeyForm(form: URLSearchParams, holder: KeyHolder): Promise<FormAnswer<KeyPage>> {
  const key = (form.get('key') ?? '').trim()
  if (form.get('action') === 'disable') {
    if (form.get('confirm') !== 'yes')
      return { status: 400, page: { fault: 'Tick the box to confirm that you want to disable the key.' } }
    if (await holder.disable(key)) return { status: 200, page: { isDisabled: true } }
  } else {
    const usage = await holder.usage(key)
    if (usage) return { status: 200, page: { usage } }
  }
  return { status: 401, page: { fault: 'This key does not work: it is unknown, expired or disabled.' } }
}
